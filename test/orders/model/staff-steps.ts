import { rows } from '#db/database.ts';
import { orderStatus } from '#domain/orders/states.ts';
import { ok } from '../support/shop.ts';
import {
  freePoints,
  freeStock,
  had,
  type Had,
  type Kind,
  lead,
  mayBe,
  type Model,
  mustBe,
  PIECE,
  refundedOf,
} from './model.ts';
import { byStaff, leftOf, payer, type Real, receivedFor, type Reply } from './real.ts';
import { LATER, orderAt, placed, type Step } from './step.ts';

const { DONE, FAILED } = orderStatus;
const done: Reply = { code: 1000 };

/** The codes of a change that needs so much to be free. */
const codesOf = (answer: Had, refusal: number): Set<number> =>
  new Set([...(answer === 'no' ? [] : [1000]), ...(answer === 'yes' ? [] : [refusal])]);

/** Staff decide about what differs. */
export const resolve = (number: number, outcome: 'complete' | 'refund'): Step => ({
  text: `resolve(${number}, ${outcome})`,
  expects: (model) =>
    new Set(
      orderAt(model, number).disputed ? [1000, 90_202, LATER, ...(outcome === 'complete' ? [90_206] : [])] : [90_202],
    ),
  foresee: (model) => {
    const order = orderAt(model, number);
    if (order.disputed) lead(order, outcome === 'complete' ? DONE : FAILED);
  },
  act: (model, real) => real.shop.resolve(placed(model, real, number), real.tenantId, outcome),
});

export interface RefundWish {
  amount: 'rest' | 1;
  restorePoints: boolean;
  restock: boolean;
}

function refundCodes(model: Model, real: Real, number: number, wish: RefundWish): Set<number> {
  const order = orderAt(model, number);
  if (!mayBe(order, DONE)) return new Set([90_202]);
  if (!mustBe(order, DONE)) return new Set([1000, 90_202, 90_001]);
  // How much the service knows to be gone is a matter of time.
  if (order.contested) return new Set([1000, 90_001]);
  const received = receivedFor(real, placed(model, real, number), true);
  const left = received - refundedOf(order, received);
  const amount = wish.amount === 'rest' ? left : wish.amount;
  const gives = wish.restorePoints || wish.restock;
  const again =
    order.refunds.some(({ restorePoints }) => restorePoints && wish.restorePoints) ||
    order.refunds.some(({ restock }) => restock && wish.restock);
  const wrong = amount > left || (amount < left && gives) || again || (amount === 0 && !wish.restorePoints);
  return new Set([wrong ? 90_001 : 1000]);
}

/** Staff refund a completed order, or a part of it. */
export const refund = (number: number, wish: RefundWish): Step => ({
  text: `refund(${number}, ${JSON.stringify(wish)})`,
  expects: (model, real) => refundCodes(model, real, number, wish),
  foresee: () => {},
  act: (model, real) => {
    const { amount, ...gives } = wish;
    const body = { ...gives, ...(amount === 'rest' ? {} : { amount }), reason: 'a test', key: `refund-${real.next()}` };
    return byStaff(real, `/orders/${placed(model, real, number).orderId}/refund`, body);
  },
  learn: (model, _, { reply }) => {
    if (reply.code === 1000) orderAt(model, number).refunds.push(wish);
  },
});

export interface LinesWish {
  qty: number;
  restorePoints: boolean;
  restock: boolean;
}

/** Staff refund pieces of a completed order. */
export const refundLines = (number: number, { qty, ...gives }: LinesWish): Step => ({
  text: `refundLines(${number}, ${JSON.stringify({ qty, ...gives })})`,
  expects: (model) => {
    const order = orderAt(model, number);
    const fits = order.goods !== null && qty <= order.qty;
    return new Set([
      ...(mayBe(order, DONE) ? [90_001, ...(fits ? [1000] : [])] : []),
      ...(mustBe(order, DONE) ? [] : [90_202]),
    ]);
  },
  foresee: () => {},
  act: (model, real) => {
    // The one line of an order with goods.
    const body = { lines: [{ lineId: '1', qty }], ...gives, reason: 'a test', key: `refund-${real.next()}` };
    return byStaff(real, `/orders/${placed(model, real, number).orderId}/refund`, body);
  },
  learn: (model, _, { reply }) => {
    if (reply.code !== 1000) return;
    const order = orderAt(model, number);
    order.contested = true;
    order.refunds.push({ ...gives, amount: 'lines' });
  },
});

interface OpenRefund {
  refundId: string;
  chargeId: string;
  amountMinor: number | null;
}

const refundsAt = ({ observer, tenantId }: Real, status: 'pending' | 'needs_staff') =>
  rows<OpenRefund>(
    observer,
    'select refund_id, charge_id, amount_minor from refund where tenant_id = :tenantId and status = :status and charge_id is not null',
    { tenantId, status },
  );

/** Whether the gateway could give so much back. */
function isThere({ shop }: Real, { chargeId, amountMinor }: OpenRefund): boolean {
  const charge = shop.gateway.charges.get(chargeId);
  return charge !== undefined && (amountMinor === null || (amountMinor > 0 && amountMinor <= leftOf(charge) * 100));
}

/**
 * Staff have the gateway asked again about every refund it rejected, or gave the money back by another way; `as possible`:
 * the one where the gateway has it, else the other.
 */
export async function settleStuck(real: Real, how: 'retry' | 'done_elsewhere' | 'as possible'): Promise<void> {
  for (const refund of await refundsAt(real, 'needs_staff')) {
    const { refundId, chargeId } = refund;
    const outcome = how === 'as possible' ? (isThere(real, refund) ? 'retry' : 'done_elsewhere') : how;
    const reply = await byStaff(real, `/refunds/${refundId}/resolve`, { outcome, note: 'a test' });
    // It was told of meanwhile.
    if (reply.code === 90_202) continue;
    const amount = Number((ok(reply).data as unknown as { amount: number }).amount);
    if (outcome === 'done_elsewhere') real.elsewhere.set(chargeId, (real.elsewhere.get(chargeId) ?? 0) + amount);
  }
}

export const settleRefunds = (outcome: 'retry' | 'done_elsewhere'): Step => ({
  text: `settleRefunds(${outcome})`,
  expects: () => new Set([1000]),
  foresee: () => {},
  act: async (_, real) => {
    await settleStuck(real, outcome);
    return done;
  },
});

/** Executions of the refunds under way that were taken for dead. */
export const refundsRunTwice = (): Step => ({
  text: 'refundsRunTwice',
  expects: () => new Set([1000]),
  foresee: () => {},
  act: async (_, real) => {
    const open = await refundsAt(real, 'pending');
    const run = ({ refundId }: OpenRefund) => real.shop.activities.refundCharge({ refundId }).catch(() => undefined);
    await Promise.all([...open, ...open].map(run));
    return done;
  },
});

/** Staff give points, or take available ones back. */
export const changePoints = (kind: Kind, delta: number): Step => ({
  text: `changePoints(${kind}, ${delta})`,
  expects: (model) => codesOf(delta < 0 ? had(freePoints(model, kind), -delta) : 'yes', 90_300),
  foresee: () => {},
  act: (_, real) => {
    const { tenantId } = real;
    const change = { tenantId, userId: payer, kind, delta, reason: 'a test', key: `points-${real.next()}` };
    return byStaff(real, '/points/adjust', change);
  },
  learn: (model, _, { reply }) => {
    if (reply.code === 1000) model.given[kind] += delta;
  },
});

/** Staff correct the stock of the limited goods. */
export const changeStock = (delta: number): Step => ({
  text: `changeStock(${delta})`,
  expects: (model) => codesOf(delta < 0 ? had(freeStock(model), -delta) : 'yes', 90_039),
  foresee: () => {},
  act: (_, real) =>
    byStaff(real, `/goods/${real.tenantId}-limited/stock`, { delta, reason: 'a test', key: `stock-${real.next()}` }),
  learn: (model, _, { reply }) => {
    if (reply.code === 1000) model.stock += delta;
  },
});

/** Staff write the goods' name without their stock, which stays as it is. */
export const renameGoods = (): Step => ({
  text: 'renameGoods',
  expects: () => new Set([1000]),
  foresee: () => {},
  act: async (_, { shop, tenantId }: Real) => {
    const option = { paymentOptionId: 'o', name: 'DEFAULT', pointAmount: PIECE.points, cashAmount: PIECE.cash };
    return shop.putGoods(`${tenantId}-limited`, tenantId, { name: 'new', stock: undefined, paymentOptions: [option] });
  },
});
