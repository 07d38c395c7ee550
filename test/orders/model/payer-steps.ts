import { expect } from 'chai';
import { orderStatus, type Statuses } from '#domain/orders/states.ts';
import {
  createNeeds,
  grossOf,
  lead,
  mayBe,
  type Model,
  type ModelOrder,
  payNeeds,
  pointsOf,
  totalOf,
  type Wish,
} from './model.ts';
import { findPayment } from '#db/orders/payments.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { asPayer, type Real, type Reply, stalledSend } from './real.ts';
import { LATER, orderAt, placed, type Step } from './step.ts';

const { CREATED, PAYMENT_PENDING: PENDING, DONE, FAILED, TIMEOUT, CANCELLED } = orderStatus;

/** Ends while a sequence runs, or long after it. */
const BRIEF_HOLD_MS = 1500;

function bodyOf({ tenantId }: Real, wish: Wish): object {
  const { tenant, wallet } = pointsOf(wish);
  const couponIds = wish.coupon === null ? [] : [`${tenantId}-c${wish.coupon}`];
  const pointsPlan = { tenantPoints: tenant, walletPoints: wallet, couponIds };
  if (wish.goods !== null)
    return { tenantId, pointsPlan, items: [{ goodsId: `${tenantId}-${wish.goods}`, qty: wish.qty }] };
  return {
    tenantId,
    pointsPlan,
    ...(wish.cash ? { grossMoneyAmount: grossOf(wish), moneyAmount: totalOf(wish) } : {}),
  };
}

/** `twice`: sent twice at once with one idempotency key, which makes one order. */
export const create = (wish: Wish, twice: boolean): Step => ({
  text: `create(${JSON.stringify(wish)}${twice ? ', twice' : ''})`,
  expects: (model) => {
    const { codes, granted } = createNeeds(model, wish);
    return new Set([...codes, ...(granted ? [1000] : [])]);
  },
  foresee: () => {},
  act: async (_, real) => {
    const body = bodyOf(real, wish);
    const headers: Record<string, string> = twice ? { 'idempotency-key': `key-${real.next()}` } : {};
    const send = () => real.shop.request('POST', '/user/order/create', body, asPayer(real), headers);
    const [reply, again] = await Promise.all([send(), twice ? send() : undefined]);
    if (again && reply.code === 1000 && again.code === 1000) expect(again.data.orderId).to.equal(reply.data.orderId);
    return reply;
  },
  learn: (model, real, { reply }) => {
    if (reply.code !== 1000) return;
    const { orderId, orderNo } = reply.data as { orderId: string; orderNo: string };
    real.orders.push({ orderId, orderNo });
    model.orders.push({
      ...wish,
      name: `o${model.orders.length}`,
      at: new Set([CREATED]),
      ways: new Set(),
      total: totalOf(wish),
      brief: false,
      held: false,
      disputed: false,
      refunds: [],
      contested: false,
      back: null,
    });
  },
});

const mayBeRejected = ({ faults }: Real, { ways }: ModelOrder): boolean =>
  ways.has(FAILED) || faults.planned.some(({ kind }) => kind === 'rejected');

/** What a pay may be told. */
function payCodes(model: Model, real: Real, number: number, brief: boolean): Set<number> {
  const order = orderAt(model, number);
  const codes = new Set([LATER]);
  if (mayBe(order, PENDING, DONE)) codes.add(1000);
  if (mayBe(order, FAILED, TIMEOUT, CANCELLED)) codes.add(90_202);
  // A charge that is still being sent may meet the rejection that was planned for the next one.
  if (mayBe(order, CREATED, PENDING) && mayBeRejected(real, order))
    for (const code of [90_303, 90_202]) codes.add(code);
  if (!mayBe(order, CREATED)) return codes;
  const needs = payNeeds(model, order);
  for (const code of needs.codes) codes.add(code);
  if (needs.granted) codes.add(1000);
  // A hold may be over before there is a charge, and the gateway may refuse it.
  if (brief || order.ways.size > 0) codes.add(90_202);
  return codes;
}

const isRefusal = (code: number): boolean => [90_201, 90_039, 90_300].includes(code);

/** Pays `times` at once; each time there is the same answer. A hold that is `brief` ends soon. */
export const pay = (number: number, { brief = false, times = 1 } = {}): Step => ({
  text: `pay(${number}${brief ? ', brief' : ''}${times > 1 ? `, ×${times}` : ''})`,
  expects: (model, real) => payCodes(model, real, number, brief),
  foresee: (model, real) => {
    const order = orderAt(model, number);
    if (!mayBe(order, CREATED)) return;
    lead(order, ...(order.total === 0 ? [DONE] : brief ? [PENDING, TIMEOUT] : [PENDING]));
    const { orderId } = placed(model, real, number);
    if (brief) real.briefHolds.set(orderId, BRIEF_HOLD_MS);
    else real.briefHolds.delete(orderId);
  },
  act: async (model, real) => {
    const order = placed(model, real, number);
    const send = () => real.shop.pay(order, real.tenantId);
    const replies = await Promise.all(Array.from({ length: times }, send));
    const links = replies.flatMap(({ code, data }) => (code === 1000 && data.paymentUrl ? [data.paymentUrl] : []));
    expect(new Set(links).size, 'links').to.be.at.most(1);
    return replies[0] ?? { code: 0 };
  },
  learn: (model, _, { reply, alone }) => {
    const order = orderAt(model, number);
    // The attempt is over, with all that might have come of it.
    if (alone && isRefusal(reply.code)) order.ways.clear();
    // The payer has the link: the payment is not undone unless something can undo it.
    const status = (reply.data as Partial<Statuses> | null | undefined)?.orderStatus;
    if (reply.code === 1000 && status === PENDING) order.at = new Set([PENDING]);
  },
});

/** A pay whose first send to the gateway is taken for dead, and finds out late that it never arrived. */
export const payStalled = (number: number): Step => {
  const paying = pay(number);
  return {
    ...paying,
    text: `payStalled(${number})`,
    act: async (model, real) => {
      const [order, { orderId, orderNo }] = [orderAt(model, number), placed(model, real, number)];
      const activities = stalledSend(real, order, { orderId, orderNo });
      const paid = new AbortController();
      const stall = async (): Promise<void> => {
        const state = await eventually('the payment is opened, or refused', async () => {
          const now = await findPayment(real.observer, orderId);
          return (paid.signal.aborted || now?.orderStatus !== CREATED) && now;
        });
        if (state?.orderStatus !== PENDING || state.chargeId !== null) return;
        // Nobody waits for what it comes to.
        await activities.createCharge({ orderId, attempt: state.attempt }).catch(() => undefined);
      };
      const stalled = stall();
      const reply = await paying.act(model, real);
      paid.abort();
      await stalled;
      return reply;
    },
  };
};

export const cancel = (number: number): Step => ({
  text: `cancel(${number})`,
  expects: (model, real) => {
    const order = orderAt(model, number);
    const codes = new Set([LATER]);
    if (mayBe(order, CREATED, PENDING) && mayBeRejected(real, order)) codes.add(90_202);
    if (mayBe(order, CREATED, PENDING, CANCELLED)) codes.add(1000);
    if (mayBe(order, DONE, FAILED, TIMEOUT) || order.disputed) codes.add(90_202);
    return codes;
  },
  foresee: (model) => {
    const order = orderAt(model, number);
    if (mayBe(order, CREATED, PENDING)) lead(order, CANCELLED);
  },
  act: (model, real): Promise<Reply> => real.shop.cancel(placed(model, real, number), real.tenantId),
});
