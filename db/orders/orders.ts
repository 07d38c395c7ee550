import type { ModelObject } from 'objection';
import type { TrackedClick } from '#domain/campaigns/revenue/click-token.ts';
import type { OrderSort } from '#domain/lists/sorts.ts';
import { CARRIER_TYPE } from '#domain/orders/invoice.ts';
import { DISPUTED, orderStatus, type Statuses } from '#domain/orders/states.ts';
import { type Database, firstRow, rows } from '../database.ts';
import { insertOrigin } from './attribution/origins.ts';
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
  /** Codes of flags that staff have not decided on, and of an open dispute. */
  flags: string[];
  /** How many pieces of each line refunds are for, by line; lines without any are left out. */
  refundedPieces: Record<string, number>;
  /** A refund or a dispute waits for staff, or a refund for an approval. */
  needsStaff: boolean;
}

export type NewOrder = Omit<
  ModelObject<Order>,
  keyof Statuses | 'attempt' | 'createdAt' | 'updatedAt' | 'carrierType'
> & {
  /** The campaign link that it came from; null if none. */
  origin: TrackedClick | null;
};

type OrderName = Pick<NewOrder, 'orderId' | 'orderNo'>;

/** Stores a new order, with where it came from. */
export async function insertOrder(database: Database, { origin, ...order }: NewOrder): Promise<OrderName> {
  await transact(database, async (transaction) => {
    await Order.query(transaction).insert({ ...order, carrierType: CARRIER_TYPE });
    if (origin) await insertOrigin(transaction, order, origin);
    await recordMerchantEvent(transaction, order.orderId, 'order.created');
  });
  return order;
}

/** SQL for the pieces of the order `o` that refunds are for. */
const refundedPieces = `coalesce((select jsonb_object_agg(p.line_id, p.qty) from (
      select l."lineId" as line_id, sum(l.qty) as qty
      from refund r cross join jsonb_to_recordset(r.lines) as l ("lineId" text, qty bigint)
      where r.order_id = o.order_id and r.lines is not null group by 1) p), '{}')`;

/** SQL for orders with their current attempt; `source` supplies the rows of customer_order. */
const selectOrders = (source: string) => `select o.order_id, o.order_no, o.tenant_id,
    o.user_id, o.payer_name, o.created_by, o.contact_service_number_id, o.contact_id, o.title, o.description, o.total_minor, o.gross_minor,
    o.tenant_points, o.district_points, o.wallet_points,
    o.coupon_ids, o.earn_limit_infos, o.points_tenant_id,
    o.lines, o.carrier_id, o.carrier_type, o.npoban,
    o.buyer_identifier, o.buyer_name, o.order_status,
    o.points_status, o.payment_status, o.attempt, o.created_at, o.updated_at,
    case when o.order_status = ${orderStatus.PAYMENT_PENDING} then a.payment_url end as payment_url,
    case when o.order_status <> ${orderStatus.DONE} then a.expires_at end as expires_at,
    a.charge_id, a.result_url, a.cancel_url, a.received_minor, a.received_currency, a.received_at,
    ${refundedPieces} as refunded_pieces, o.currency, (select t.name from tenant t where t.tenant_id = o.tenant_id) as tenant_name,
    exists (select 1 from refund r where r.order_id = o.order_id and r.status = 'needs_staff')
      or exists (select 1 from refund_approval p where p.order_id = o.order_id and p.status = 'waiting')
      or exists (select 1 from dispute d where d.order_id = o.order_id and d.needs_staff) as needs_staff,
    array(select f.code from order_flag f where f.order_id = o.order_id and f.resolved_at is null
      union select '${DISPUTED}' from dispute d where d.order_id = o.order_id and d.status = 'open' order by 1)
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

/**
 * The last row of a page, after which the next one starts: what the list is ordered by, and the order. A time is in
 * microseconds, which a Date would truncate.
 */
export interface OrderCursor {
  at: number;
  orderId: string;
}

export interface OrderPage {
  items: OrderRow[];
  next: OrderCursor | null;
}

export interface OrderPageRequest {
  cursor: OrderCursor | null;
  limit: number;
  /** Newest first where absent. */
  sort?: OrderSort | undefined;
}

/** SQL for the sort key of the order `o`, as an integer, and for a cursor's value. */
const keys = {
  createdAt: {
    key: 'o.created_at',
    at: '(extract(epoch from o.created_at) * 1000000)::bigint',
    after: `timestamptz 'epoch' + :at * interval '1 microsecond'`,
  },
  amount: { key: 'o.total_minor', at: 'o.total_minor', after: ':at::bigint' },
};

interface Ordering {
  at: string;
  /** Condition for where a page starts. */
  after: string;
  orderBy: string;
}

function orderingOf({ cursor, sort = '-createdAt' }: OrderPageRequest): Ordering {
  const descends = sort.startsWith('-');
  const { key, at, after } = keys[sort.endsWith('amount') ? 'amount' : 'createdAt'];
  const direction = descends ? 'desc' : 'asc';
  return {
    at,
    after: cursor ? `(${key}, o.order_id) ${descends ? '<' : '>'} (${after}, :orderId)` : 'true',
    orderBy: `order by ${key} ${direction}, o.order_id ${direction}`,
  };
}

/** SQL for the orders `o` that a page is taken from. */
type OrderSource = (ordering: Ordering) => string;

/** All orders of these tenants that meet `condition`: for conditions that few meet. */
export const gathered =
  (tenants: string, condition: string): OrderSource =>
  ({ after }) =>
    `select o.* from customer_order o where o.tenant_id in (${tenants}) and ${condition} and ${after}`;

/** As many orders of each of these tenants as a page needs, in index order. */
export const firstOfEach =
  (tenants: string, condition: string): OrderSource =>
  ({ after, orderBy }) =>
    `select o.* from (${tenants}) reach (tenant_id) cross join lateral (
       select * from customer_order o where o.tenant_id = reach.tenant_id and ${condition} and ${after}
       ${orderBy} limit :limit) o`;

/** One page, newest first or as asked for. */
export async function pageOrders(
  database: Database,
  source: OrderSource,
  bindings: Record<string, unknown>,
  request: OrderPageRequest,
): Promise<OrderPage> {
  const { cursor, limit } = request;
  const ordering = orderingOf(request);
  const found = await rows<OrderRow & { at: number }>(
    database,
    `select o.*, ${ordering.at} as at
     from (${selectOrders(`(${source(ordering)} ${ordering.orderBy} limit :limit)`)}) o
     ${ordering.orderBy}`,
    { ...bindings, ...cursor, limit: limit + 1 },
  );
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items, next: last ? { at: last.at, orderId: last.orderId } : null };
}

/** The payer's own orders at a tenant. */
export async function listPayersOrders(
  database: Database,
  { status, ...key }: { tenantId: string; userId: string; status: number | null },
  page: OrderPageRequest,
): Promise<OrderPage> {
  const own = `o.user_id = :userId ${status === null ? '' : 'and o.order_status = :status'}`;
  return pageOrders(database, firstOfEach('select :tenantId::text', own), { ...key, status }, page);
}
