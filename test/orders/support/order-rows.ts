import type { ModelObject } from 'objection';
import { PaymentAttempt } from '#db/orders/models/payments.ts';
import { Order } from '#db/orders/models/orders.ts';
import type { NewOrder } from '#db/orders/orders.ts';
import { openPayment } from '#db/orders/opening/open.ts';
import type { Database } from '#db/database.ts';
import { CARRIER_TYPE } from '#domain/orders/invoice.ts';

/** The tenants `shop` and `other`, both with a shop at the gateway. */
export async function seedTenants(database: Database): Promise<void> {
  await database('tenant').insert(
    ['shop', 'other'].map((id) => ({ tenant_id: id, name: id, business_type: 0, shop_id: `paygw-${id}` })),
  );
}

/** An order of `payer` at `shop` over 10 units, as it is created. */
export const newOrder = (orderId: string): Omit<NewOrder, 'origin'> => ({
  orderId,
  orderNo: `no-${orderId}`,
  tenantId: 'shop',
  userId: 'payer',
  payerName: null,
  createdBy: null,
  contactServiceNumberId: null,
  contactId: null,
  title: null,
  description: null,
  currency: 'TWD',
  totalMinor: 1000,
  grossMinor: 1000,
  tenantPoints: 0,
  districtPoints: 0,
  walletPoints: 0,
  couponIds: [],
  earnLimitInfos: [],
  pointsTenantId: 'shop',
  lines: [],
  carrierId: null,
  npoban: null,
  buyerIdentifier: null,
  buyerName: null,
});

/** Stores such an order, with the fields given. */
export async function seedOrder(
  database: Database,
  orderId: string,
  fields: Partial<ModelObject<Order>> = {},
): Promise<void> {
  await Order.query(database).insert({ ...newOrder(orderId), carrierType: CARRIER_TYPE, ...fields });
}

/** Goods of `shop`, so many of them. */
export async function seedGoods(database: Database, goodsId: string, stock: number): Promise<void> {
  await database('goods').insert({
    goods_id: goodsId,
    tenant_id: 'shop',
    name: goodsId,
    pricing_type: 'PAYMENT_OPTIONS',
    stock,
    payment_options: '[]',
  });
}

/** So many of the goods, as an order has them. */
export const lineOf = (goodsId: string, qty: number): Order['lines'][number] => ({
  goodsId,
  name: goodsId,
  qty,
  paymentOptionId: 'o',
  point: 0,
  points: 0,
  cashMinor: 1000,
  tenantPoints: 0,
});

/** What a payment is opened with. */
export const openingOf = (orderId: string, attempt = 1) => ({
  orderId,
  attempt,
  sends: 0 as const,
  expiresAt: new Date(Date.now() + 600_000),
  resultUrl: null,
  cancelUrl: null,
});

/** Opens the payment of an order, and stores its charge if one is given. @throws Error if it is refused. */
export async function openedPayment(
  database: Database,
  orderId: string,
  { attempt = 1, chargeId = null }: { attempt?: number; chargeId?: string | null } = {},
): Promise<void> {
  const { error } = await openPayment(database, openingOf(orderId, attempt), { maxOpenHolds: 1000 });
  if (error) throw new Error(`refused with ${error.code}`);
  await PaymentAttempt.query(database).findById([orderId, attempt]).patch({ chargeId });
}
