import type { Settings } from '#domain/settings/settings.ts';
import type { JsonClient } from './client.ts';
import { tenant } from './content.ts';
import { isOrdered, pay } from './orders.ts';
import { until } from './patience.ts';

const { tenantId } = tenant;
const shopId = 'shop-harbor-coffee';
/** Known to the sandbox's merchant, so that it can check the signatures. */
const webhookSecret = 'whsec_SGFyYm9yIENvZmZlZSwgZGVtb25zdHJhdGlvbg==';

interface PaymentsSeed {
  orders: JsonClient;
  sandbox: JsonClient;
  settings: Settings<'DATABASE_URL' | 'PAYMENT_GATEWAY_KEY'>;
}

interface CreatedOrder {
  data: { orderId: string };
}

interface StaffOrder {
  data: { paymentStatus: number; attempts: { chargeId: string | null }[] };
}

/** The sandbox's merchant receives the tenant's events. */
async function seedWebhook({ orders, sandbox, settings }: PaymentsSeed): Promise<void> {
  await sandbox.put(`/sandbox/merchant/${tenantId}`, { secret: webhookSecret });
  const url = `${settings.PLATFORM_BASE_URL}/sandbox/merchant/${tenantId}/events`;
  await orders.put(`/admin/tenants/${tenantId}/webhook`, { url, secret: webhookSecret });
}

/** Pays an order on the gateway's page, as its payer would, and waits until the order is complete. */
export async function payFully(
  { orders, sandbox }: Pick<PaymentsSeed, 'orders' | 'sandbox'>,
  orderId: string,
): Promise<void> {
  await pay(orders, orderId);
  const read = async () => (await orders.get<StaffOrder>(`/admin/orders/${orderId}`)).data;
  const { attempts } = await read();
  await sandbox.post(`/sandbox/charges/${attempts[0]?.chargeId}:pay`, {});
  await until('an order is complete', async () => (await read()).paymentStatus === 30);
}

const chipped = 'Two mugs, one of them chipped';

/** A payment that is complete, of which staff gave a part back. */
async function seedRefund(seed: PaymentsSeed): Promise<void> {
  const order = { tenantId, title: chipped, items: [{ goodsId: 'harbor-mug', qty: 2 }] };
  const { data } = await seed.orders.post<CreatedOrder>('/user/order/create', order);
  const { orderId } = data;
  await payFully(seed, orderId);
  const body = { amount: 120, reason: 'One mug arrived with a chip', key: 'demo-refund' };
  await seed.orders.post(`/admin/orders/${orderId}/refund`, body);
}

/** A payment to the shop that no order knows, made past the order service. */
async function seedStrayPayment({ sandbox, settings }: PaymentsSeed): Promise<void> {
  const response = await fetch(`${settings.PAYMENT_GATEWAY_BASE_URL}/v1/charges`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${settings.PAYMENT_GATEWAY_KEY}`,
      'idempotency-key': 'demo-stray',
    },
    body: JSON.stringify({
      shopId,
      orderNo: 'counter-4711',
      amount: 95,
      currency: 'TWD',
      description: 'Typed in at the counter',
      callbackURL: `${settings.PUBLIC_ORDERS_URL}/transaction/v1/payment-gateway/callback`,
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    }),
  });
  const { chargeId } = (await response.json()) as { chargeId: string };
  await sandbox.post(`/sandbox/charges/${chargeId}:pay`, {});
}

/** Yesterday, as every night compares the day before. */
async function seedComparison({ orders }: PaymentsSeed): Promise<void> {
  const date = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  await orders.post('/admin/reconciliation', { date });
}

/**
 * A webhook that receives the tenant's events, an order that is paid and refunded in part, a payment that fits no order,
 * and a day that was compared with the gateway. Once, after the first orders.
 */
export async function seedPayments(seed: PaymentsSeed): Promise<void> {
  if (await isOrdered(seed.orders, chipped)) return;
  await seedWebhook(seed);
  await seedStrayPayment(seed);
  await seedComparison(seed);
  await seedRefund(seed);
}
