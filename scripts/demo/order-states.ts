import { DemoError, type JsonClient } from './client.ts';
import { tenant } from './content.ts';

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

/** Reads the order until it is as described. @throws Error after half a minute */
async function until({ orders }: Seed, orderId: string, isSo: (order: StaffOrder['data']) => boolean): Promise<void> {
  const end = Date.now() + 30_000;
  while (!isSo((await orders.get<StaffOrder>(`/admin/orders/${orderId}`)).data)) {
    if (Date.now() > end) throw new Error(`Order ${orderId} did not change within half a minute`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function create({ orders }: Seed, title: string): Promise<string> {
  const order = { tenantId, title, items: [{ goodsId: 'harbor-mug' }] };
  return (await orders.post<{ data: { orderId: string } }>('/user/order/create', order)).data.orderId;
}

/** A mug that is waiting for payment. @returns the ids of its order and charge */
async function begin(seed: Seed, title: string, reserveTimeoutSeconds = LONGEST_HOLD) {
  const { orders } = seed;
  const orderId = await create(seed, title);
  await orders.post(`/user/order/${orderId}/pay`, { tenantId, reserveTimeoutSeconds });
  const { attempts } = (await orders.get<StaffOrder>(`/admin/orders/${orderId}`)).data;
  return { orderId, chargeId: attempts[0]?.chargeId ?? '' };
}

/** The gateway books another amount than agreed, so that staff have to decide. */
async function flag(seed: Seed, title: string): Promise<string> {
  const { orderId, chargeId } = await begin(seed, title);
  await seed.sandbox.post(`/sandbox/charges/${chargeId}:pay`, { charge: { amount: 400 } });
  await until(seed, orderId, ({ flags }) => flags.length > 0);
  return orderId;
}

async function refundFully(seed: Seed, title: string): Promise<void> {
  const { orderId, chargeId } = await begin(seed, title);
  await seed.sandbox.post(`/sandbox/charges/${chargeId}:pay`, {});
  await until(seed, orderId, ({ paymentStatus }) => paymentStatus === PAID);
  await seed.orders.post(`/admin/orders/${orderId}/refund`, { reason: 'The mug was broken', key: 'demo-full' });
  await until(seed, orderId, ({ paymentStatus }) => paymentStatus === REFUNDED);
}

/** The gateway does what it is told to only while `work` runs. */
async function withFault(sandbox: JsonClient, fault: object, work: () => Promise<void>): Promise<void> {
  await sandbox.put('/sandbox/faults', { faults: [fault] });
  try {
    await work();
  } finally {
    await sandbox.put('/sandbox/faults', { faults: [] });
  }
}

/** The gateway accepts no charge, and the order fails. */
async function refuse(seed: Seed, title: string): Promise<void> {
  const orderId = await create(seed, title);
  const fault = { route: 'charges.create', mode: 'status', status: 422, code: 'shop_closed', bodyIncludes: title };
  await withFault(seed.sandbox, fault, async () => {
    await seed.orders.post(`/user/order/${orderId}/pay`, { tenantId }).catch((error: unknown) => {
      if (!(error instanceof DemoError)) throw error;
    });
    await until(seed, orderId, ({ orderStatus }) => orderStatus === FAILED);
  });
}

/** The gateway gives nothing back, so that staff have to. */
async function leaveRefundToStaff(seed: Seed, title: string): Promise<void> {
  const { orderId, chargeId } = await begin(seed, title);
  await seed.sandbox.post(`/sandbox/charges/${chargeId}:pay`, {});
  await until(seed, orderId, ({ paymentStatus }) => paymentStatus === PAID);
  const refund = { amount: 240, reason: 'A mug with a scratch', key: 'demo-staff' };
  const fault = { route: 'charges.refund', mode: 'status', status: 422, code: 'account_closed', bodyIncludes: '240' };
  await withFault(seed.sandbox, fault, async () => {
    await seed.orders.post(`/admin/orders/${orderId}/refund`, refund);
    await until(seed, orderId, ({ needsStaff }) => needsStaff);
  });
}

/**
 * The states that an order can end in, beside those of the first orders and payments: paid, fully refunded, cancelled before
 * and during its payment, failed at the gateway and by a decision of staff, not paid in time (a minute after the start),
 * a refund that is left to staff, and one with a note that waits for a decision.
 */
export async function seedOrderStates(seed: Seed): Promise<void> {
  const { orders, sandbox } = seed;
  const paid = await begin(seed, 'A mug for the office');
  await sandbox.post(`/sandbox/charges/${paid.chargeId}:pay`, {});
  await refundFully(seed, 'A mug that came back');
  const cancelled = await begin(seed, 'A mug too many');
  await orders.post(`/user/order/${cancelled.orderId}/cancel`, { tenantId });
  await orders.post(`/user/order/${await create(seed, 'A mug, on second thoughts')}/cancel`, { tenantId });
  await refuse(seed, 'A mug that could not be charged');
  await leaveRefundToStaff(seed, 'A mug with a scratch');
  const failed = await flag(seed, 'A mug, paid with too little and refunded');
  await orders.post(`/admin/orders/${failed}/resolve`, { outcome: 'refund' });
  await until(seed, failed, ({ orderStatus }) => orderStatus === FAILED);
  const waiting = await flag(seed, 'A mug, paid with too little');
  await orders.post(`/admin/orders/${waiting}/notes`, { text: 'Asked the payer: the bank took a fee.' });
  await begin(seed, 'A mug, forgotten', SHORTEST_HOLD);
}
