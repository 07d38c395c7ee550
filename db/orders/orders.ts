import type { ModelObject } from 'objection';
import { CARRIER_TYPE } from '../../domain/orders/invoice.ts';
import { orderStatus, type Statuses } from '../../domain/orders/states.ts';
import { type Database, firstRow, rows } from '../database.ts';
import { recordMerchantEvent } from './merchant-events/events.ts';
import { Order } from './models/orders.ts';
import { transact } from './transaction.ts';

/** An order with the payment link and expiry of its current attempt. */
export interface OrderRow extends ModelObject<Order> {
  chargeId: string | null;
  paymentUrl: string | null;
  resultUrl: string | null;
  cancelUrl: string | null;
  expiresAt: Date | null;
  /** What the gateway shows as paid for the current attempt. */
  receivedMinor: number | null;
  receivedCurrency: string | null;
  receivedAt: Date | null;
  tenantName: string;
  /** Codes of flags that staff have not decided on. */
  flags: string[];
  /** A refund waits for a decision by staff. */
  needsStaff: boolean;
}

export type NewOrder = Omit<ModelObject<Order>, keyof Statuses | 'attempt' | 'createdAt' | 'updatedAt' | 'carrierType'>;

/** @returns the order */
export async function insertOrder(database: Database, order: NewOrder): Promise<NewOrder> {
  await transact(database, async (transaction) => {
    await Order.query(transaction).insert({ ...order, carrierType: CARRIER_TYPE });
    await recordMerchantEvent(transaction, order.orderId, 'order.created');
  });
  return order;
}

/** SQL for orders with their current attempt; `source` supplies the rows of customer_order. */
const selectOrders = (source: string) => `select o.order_id, o.order_no, o.tenant_id,
    o.user_id, o.payer_name, o.title, o.description, o.total_minor, o.gross_minor,
    o.tenant_points, o.district_points, o.wallet_points,
    o.coupon_ids, o.earn_limit_infos, o.points_tenant_id,
    o.lines, o.carrier_id, o.carrier_type, o.npoban,
    o.buyer_identifier, o.buyer_name, o.order_status,
    o.points_status, o.payment_status, o.attempt, o.created_at, o.updated_at,
    case when o.order_status = ${orderStatus.PAYMENT_PENDING} then a.payment_url end as payment_url,
    case when o.order_status <> ${orderStatus.DONE} then a.expires_at end as expires_at,
    a.charge_id, a.result_url, a.cancel_url, a.received_minor, a.received_currency, a.received_at,
    o.currency, (select t.name from tenant t where t.tenant_id = o.tenant_id) as tenant_name,
    exists (select 1 from refund r where r.order_id = o.order_id and r.status = 'needs_staff') as needs_staff,
    array(select f.code from order_flag f where f.order_id = o.order_id and f.resolved_at is null order by f.code)
      as flags
  from ${source} o left join payment_attempt a on a.order_id = o.order_id and a.attempt = o.attempt`;

export const orderSelect = selectOrders('customer_order');

/** How a payer names an order. */
export interface PayersOrder {
  tenantId: string;
  userId: string;
  orderId: string;
}

/** An order of this payer at this tenant; null if it belongs to someone else. */
export async function findPayersOrder(database: Database, key: PayersOrder): Promise<OrderRow | null> {
  return firstRow(
    database,
    `${orderSelect} where o.order_id = :orderId and o.tenant_id = :tenantId and o.user_id = :userId`,
    { ...key },
  );
}

/** The last row of a page, after which the next one starts; in microseconds, which a Date would truncate. */
export interface OrderCursor {
  createdMicros: number;
  orderId: string;
}

export interface OrderPage {
  items: OrderRow[];
  next: OrderCursor | null;
}

const newestFirst = 'order by o.created_at desc, o.order_id desc';

/** SQL for the orders `o` that a page is taken from; `after` is the condition for where it starts. */
type OrderSource = (after: string) => string;

/** All orders of these tenants that meet `condition`: for conditions that few meet. */
export const gathered =
  (tenants: string, condition: string): OrderSource =>
  (after) =>
    `select o.* from customer_order o where o.tenant_id in (${tenants}) and ${condition} and ${after}`;

/** As many orders of each of these tenants as a page needs, in index order. */
export const newestOfEach =
  (tenants: string, condition: string): OrderSource =>
  (after) =>
    `select o.* from (${tenants}) reach (tenant_id) cross join lateral (
       select * from customer_order o where o.tenant_id = reach.tenant_id and ${condition} and ${after}
       ${newestFirst} limit :limit) o`;

/** One page, newest first. */
export async function pageOrders(
  database: Database,
  source: OrderSource,
  bindings: Record<string, unknown>,
  { cursor, limit }: { cursor: OrderCursor | null; limit: number },
): Promise<OrderPage> {
  const after = cursor
    ? `(o.created_at, o.order_id) < (timestamptz 'epoch' + :micros * interval '1 microsecond', :orderId)`
    : 'true';
  const found = await rows<OrderRow & { micros: number }>(
    database,
    `select o.*, (extract(epoch from o.created_at) * 1000000)::bigint as micros
     from (${selectOrders(`(${source(after)} ${newestFirst} limit :limit)`)}) o
     order by o.created_at desc, o.order_id desc`,
    { ...bindings, ...(cursor ? { micros: cursor.createdMicros, orderId: cursor.orderId } : {}), limit: limit + 1 },
  );
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items, next: last ? { createdMicros: last.micros, orderId: last.orderId } : null };
}

/** The payer's own orders at a tenant. */
export async function listPayersOrders(
  database: Database,
  { status, ...key }: { tenantId: string; userId: string; status: number | null },
  page: { cursor: OrderCursor | null; limit: number },
): Promise<OrderPage> {
  const own = `o.user_id = :userId ${status === null ? '' : 'and o.order_status = :status'}`;
  return pageOrders(database, newestOfEach('select :tenantId::text', own), { ...key, status }, page);
}
