import { DemoError, type JsonClient } from './client.ts';
import { tenant } from './content.ts';
import { isOrdered, pay } from './orders.ts';
import { until, untilAccepted } from './patience.ts';

const { tenantId } = tenant;

interface Seed {
  orders: JsonClient;
  sandbox: JsonClient;
}

interface StaffOrder {
  data: {
    flags: string[];
    orderStatus: number;
    paymentStatus: number;
    needsStaff: boolean;
    attempts: { chargeId: string | null }[];
  };
}

const LONGEST_HOLD = 86_400;
const SHORTEST_HOLD = 60;
const FAILED = 40;
const PAID = 30;
const REFUNDED = 60;

/** Reads the order until it is as described. */
const untilOrder = ({ orders }: Seed, orderId: string, isSo: (order: StaffOrder['data']) => boolean): Promise<void> =>
  until('an order changes', async () => isSo((await orders.get<StaffOrder>(`/admin/orders/${orderId}`)).data));

async function create({ orders }: Seed, title: string): Promise<string> {
  const order = { tenantId, title, items: [{ goodsId: 'harbor-mug' }] };
  return (await orders.post<{ data: { orderId: string } }>('/user/order/create', order)).data.orderId;
}

/** A mug that is waiting for payment. @returns the ids of its order and charge */
async function begin(seed: Seed, title: string, reserveTimeoutSeconds = LONGEST_HOLD) {
  const { orders } = seed;
  const orderId = await create(seed, title);
  await pay(orders, orderId, { reserveTimeoutSeconds });
  const { attempts } = (await orders.get<StaffOrder>(`/admin/orders/${orderId}`)).data;
  return { orderId, chargeId: attempts[0]?.chargeId ?? '' };
}

/** The gateway books another amount than agreed, so that staff have to decide. */
async function flag(seed: Seed, title: string): Promise<string> {
  const { orderId, chargeId } = await begin(seed, title);
  await seed.sandbox.post(`/sandbox/charges/${chargeId}:pay`, { charge: { amount: 400 } });
  await untilOrder(seed, orderId, ({ flags }) => flags.length > 0);
  return orderId;
}

async function refundFully(seed: Seed, title: string): Promise<void> {
  const { orderId, chargeId } = await begin(seed, title);
  await seed.sandbox.post(`/sandbox/charges/${chargeId}:pay`, {});
  await untilOrder(seed, orderId, ({ paymentStatus }) => paymentStatus === PAID);
  await seed.orders.post(`/admin/orders/${orderId}/refund`, { reason: 'The mug was broken', key: 'demo-full' });
  await untilOrder(seed, orderId, ({ paymentStatus }) => paymentStatus === REFUNDED);
}

const refused = 'A mug that could not be charged';
const scratched = 240;

/** What the sandbox's gateway does meanwhile: it accepts no charge for one order, and gives nothing back for another. */
export const orderFaults = [
  { route: 'charges.create', mode: 'status', status: 422, code: 'shop_closed', bodyIncludes: refused },
  {
    route: 'charges.refund',
    mode: 'status',
    status: 422,
    code: 'account_closed',
    bodyIncludes: JSON.stringify({ amount: scratched }),
  },
];

/** The order fails. */
async function refuse(seed: Seed, title: string): Promise<void> {
  const orderId = await create(seed, title);
  await pay(seed.orders, orderId).catch((error: unknown) => {
    if (!(error instanceof DemoError)) throw error;
  });
  await untilOrder(seed, orderId, ({ orderStatus }) => orderStatus === FAILED);
}

/** Staff have to give the money back. */
async function leaveRefundToStaff(seed: Seed, title: string): Promise<void> {
  const { orderId, chargeId } = await begin(seed, title);
  await seed.sandbox.post(`/sandbox/charges/${chargeId}:pay`, {});
  await untilOrder(seed, orderId, ({ paymentStatus }) => paymentStatus === PAID);
  const refund = { amount: scratched, reason: 'A mug with a scratch', key: 'demo-staff' };
  await seed.orders.post(`/admin/orders/${orderId}/refund`, refund);
  await untilOrder(seed, orderId, ({ needsStaff }) => needsStaff);
}

async function payOnce(seed: Seed, title: string): Promise<void> {
  const { chargeId } = await begin(seed, title);
  await seed.sandbox.post(`/sandbox/charges/${chargeId}:pay`, {});
}

async function cancelPaying(seed: Seed, title: string): Promise<void> {
  const { orderId } = await begin(seed, title);
  await untilAccepted(
    'a payment is cancelled',
    () => seed.orders.post(`/user/order/${orderId}/cancel`, { tenantId }),
    503,
  );
}

async function cancel(seed: Seed, title: string): Promise<void> {
  await seed.orders.post(`/user/order/${await create(seed, title)}/cancel`, { tenantId });
}

async function flagAndRefund(seed: Seed, title: string): Promise<void> {
  const orderId = await flag(seed, title);
  await seed.orders.post(`/admin/orders/${orderId}/resolve`, { outcome: 'refund' });
  await untilOrder(seed, orderId, ({ orderStatus }) => orderStatus === FAILED);
}

async function flagAndNote(seed: Seed, title: string): Promise<void> {
  const orderId = await flag(seed, title);
  await seed.orders.post(`/admin/orders/${orderId}/notes`, { text: 'Asked the payer: the bank took a fee.' });
}

const states: [title: string, reach: (seed: Seed, title: string) => Promise<unknown>][] = [
  ['A mug for the office', payOnce],
  ['A mug that came back', refundFully],
  ['A mug too many', cancelPaying],
  ['A mug, on second thoughts', cancel],
  [refused, refuse],
  ['A mug with a scratch', leaveRefundToStaff],
  ['A mug, paid with too little and refunded', flagAndRefund],
  ['A mug, paid with too little', flagAndNote],
  ['A mug, forgotten', (seed, title) => begin(seed, title, SHORTEST_HOLD)],
];

/**
 * The states that an order can end in, beside those of the first orders and payments: paid, fully refunded, cancelled before
 * and during its payment, failed at the gateway and by a decision of staff, not paid in time (a minute after the start),
 * a refund that is left to staff, and one with a note that waits for a decision.
 */
export async function seedOrderStates(seed: Seed): Promise<void> {
  await Promise.all(
    states.map(async ([title, reach]) => {
      if (!(await isOrdered(seed.orders, title))) await reach(seed, title);
    }),
  );
}
