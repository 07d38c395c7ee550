import type { JsonClient } from './client.ts';
import { tenant } from './content.ts';

const { tenantId } = tenant;

interface Seed {
  orders: JsonClient;
  sandbox: JsonClient;
}

interface StaffOrder {
  data: { flags: string[]; orderStatus: number; paymentStatus: number; attempts: { chargeId: string | null }[] };
}

const LONGEST_HOLD = 86_400;
const SHORTEST_HOLD = 60;
const FAILED = 40;
const REFUNDED = 60;

/** Reads the order until it is as described. @throws Error after half a minute */
async function until({ orders }: Seed, orderId: string, isSo: (order: StaffOrder['data']) => boolean): Promise<void> {
  const end = Date.now() + 30_000;
  while (!isSo((await orders.get<StaffOrder>(`/admin/orders/${orderId}`)).data)) {
    if (Date.now() > end) throw new Error(`Order ${orderId} did not change within half a minute`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** A mug that is waiting for payment. @returns the ids of its order and charge */
async function begin({ orders }: Seed, title: string, reserveTimeoutSeconds = LONGEST_HOLD) {
  const order = { tenantId, title, items: [{ goodsId: 'harbor-mug' }] };
  const { data } = await orders.post<{ data: { orderId: string } }>('/user/order/create', order);
  const { orderId } = data;
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
  await until(seed, orderId, ({ paymentStatus }) => paymentStatus === 30);
  await seed.orders.post(`/admin/orders/${orderId}/refund`, { reason: 'The mug was broken', key: 'demo-full' });
  await until(seed, orderId, ({ paymentStatus }) => paymentStatus === REFUNDED);
}

/**
 * The states that an order can end in, beside those of the first orders: paid, fully refunded, cancelled, failed by a
 * decision of staff, not paid in time (a minute after the start), and one with a note that waits for a decision.
 */
export async function seedOrderStates(seed: Seed): Promise<void> {
  const { orders, sandbox } = seed;
  const paid = await begin(seed, 'A mug for the office');
  await sandbox.post(`/sandbox/charges/${paid.chargeId}:pay`, {});
  await refundFully(seed, 'A mug that came back');
  const cancelled = await begin(seed, 'A mug too many');
  await orders.post(`/user/order/${cancelled.orderId}/cancel`, { tenantId });
  const failed = await flag(seed, 'A mug, paid with too little and refunded');
  await orders.post(`/admin/orders/${failed}/resolve`, { outcome: 'refund' });
  await until(seed, failed, ({ orderStatus }) => orderStatus === FAILED);
  const waiting = await flag(seed, 'A mug, paid with too little');
  await orders.post(`/admin/orders/${waiting}/notes`, { text: 'Asked the payer: the bank took a fee.' });
  await begin(seed, 'A mug, forgotten', SHORTEST_HOLD);
}
