import { orderStatus } from '#domain/orders/states.ts';
import { eventually } from '#test/support/time/eventually.ts';
import type { FakeCharge } from '../support/fake-gateway.ts';
import { ended, lead, mayBe, type Model } from './model.ts';
import type { PlannedFault } from './gateway-faults.ts';
import { chargesOf, isPaid, type Real, type Reply, seeOrders } from './real.ts';
import { orderAt, placed, type Step } from './step.ts';

const { PAYMENT_PENDING: PENDING, DONE, TIMEOUT } = orderStatus;
const done: Reply = { code: 1000 };

export interface Payment {
  /** Which of the order's charges that can be paid. */
  which: number;
  /** Paid although it was cancelled before. */
  late: boolean;
  callback: 'sent' | 'twice' | 'lost';
  /** What differs from what was agreed: the gateway's record, or the callback alone. */
  wrong: 'record' | 'callback' | null;
}

const payable = (charges: FakeCharge[], late: boolean): FakeCharge[] =>
  charges.filter(({ status }) => status === 'pending' || (late && status === 'cancelled'));

async function sendCallback(real: Real, charge: FakeCharge, fresh: boolean): Promise<Reply> {
  const { callbacks } = real;
  const sent = callbacks.get(charge.chargeId) ?? { eventId: `evt-${charge.chargeId}`, changes: {} };
  callbacks.set(charge.chargeId, sent);
  const eventId = fresh ? `${sent.eventId}-${real.next()}` : sent.eventId;
  const response = await real.shop.gateway.callback(charge, { ...sent.changes, eventId });
  return { code: response.status === 200 ? 1000 : response.status };
}

async function untilEnded(real: Real, index: number): Promise<void> {
  await eventually('the order leaves the payment', async () => {
    const seen = (await seeOrders(real))[index];
    return seen !== undefined && ended.includes(seen.orderStatus);
  });
}

/** The order will leave its payment by itself, and soon: it was told of the money, and nobody has to decide. */
function leaves(model: Model, number: number, callback: Payment['callback']): boolean {
  const order = orderAt(model, number);
  return callback !== 'lost' && !order.disputed && [...order.at].every((status) => status === PENDING);
}

/** The payer pays at the gateway; `patient`: and waits until the order knows. */
export const moneyComes = (number: number, payment: Payment, patient: boolean): Step => ({
  text: `moneyComes(${number}, ${JSON.stringify(payment)}${patient ? ', patient' : ''})`,
  expects: () => new Set([1000]),
  foresee: (model, real) => {
    const order = orderAt(model, number);
    if (payable(chargesOf(real, placed(model, real, number)), payment.late).length === 0) return;
    lead(order, DONE);
    if (payment.wrong !== null) order.disputed = true;
  },
  act: async (model, real) => {
    const charges = payable(chargesOf(real, placed(model, real, number)), payment.late);
    const charge = charges[payment.which % Math.max(1, charges.length)];
    if (!charge) return done;
    const { chargeId } = charge;
    const phantom = real.faults.phantoms.has(chargeId);
    if (payment.wrong === 'record') charge.amount += 1;
    const changes = payment.wrong === 'callback' ? { currency: 'USD' } : {};
    real.callbacks.set(chargeId, { eventId: `evt-${chargeId}`, changes });
    await real.shop.gateway.payCharge(charge, { late: payment.late, lost: true });
    // The service has never heard of a phantom: nothing but the callback tells it.
    if (payment.callback === 'lost' && !phantom) return done;
    const times = payment.callback === 'twice' ? [false, false] : [false];
    const replies = await Promise.all(times.map((fresh) => sendCallback(real, charge, fresh)));
    if (patient && !phantom && leaves(model, number, payment.callback))
      await untilEnded(real, number % model.orders.length);
    return replies.find(({ code }) => code !== 1000) ?? done;
  },
});

/** Callbacks of everything that was paid for the order, once more or at last. */
export const callbacksComeAgain = (number: number, fresh: boolean): Step => ({
  text: `callbacksComeAgain(${number}${fresh ? ', fresh' : ''})`,
  expects: () => new Set([1000]),
  foresee: () => {},
  act: async (model, real) => {
    const charges = chargesOf(real, placed(model, real, number)).filter(isPaid);
    const replies = await Promise.all(charges.map((charge) => sendCallback(real, charge, fresh)));
    return replies.find(({ code }) => code !== 1000) ?? done;
  },
});

/** The time of the hold passes. */
export const expire = (number: number): Step => ({
  text: `expire(${number})`,
  expects: () => new Set([1000]),
  foresee: (model) => {
    const order = orderAt(model, number);
    if (mayBe(order, PENDING)) lead(order, TIMEOUT);
  },
  act: async (model, real) => {
    const { orderId } = placed(model, real, number);
    const { shop, tenantId } = real;
    const held = await shop
      .database('payment_attempt')
      .where({ order_id: orderId, hold_status: 'reserved' })
      .update({ expires_at: new Date() }, ['attempt']);
    for (const { attempt } of held as { attempt: number }[])
      await shop.launcher.drivePayment({ orderId, tenantId, attempt });
    return done;
  },
});

/** The times pass at which the charges of ended payments are read once more. */
export const readsComeDue = (): Step => ({
  text: 'readsComeDue',
  expects: () => new Set([1000]),
  foresee: () => {},
  act: async (_, real) => {
    await makeReadsDue(real);
    await real.sweep();
    return done;
  },
});

async function planReads({ observer, orders }: Real, at: Date | null): Promise<void> {
  await observer('payment_attempt')
    .whereIn(
      'order_id',
      orders.map(({ orderId }) => orderId),
    )
    .whereNotNull('next_read_at')
    .update({ next_read_at: at });
}

export const makeReadsDue = (real: Real): Promise<void> => planReads(real, new Date());

/** Of a sequence that is over: the gateway forgets its charges, and reads in vain would keep others from their turn. */
export const giveUpReads = (real: Real): Promise<void> => planReads(real, null);

/** The next call of this operation about the tenant's shop fails. */
export const gatewayFails = (fault: PlannedFault): Step => ({
  text: `gatewayFails(${fault.operation}, ${fault.kind})`,
  expects: () => new Set([1000]),
  foresee: (_, real) => void real.faults.planned.push(fault),
  act: () => Promise.resolve(done),
});
