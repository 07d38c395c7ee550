import { uuidv7 } from 'uuidv7';
import type { MerchantEventType } from '#domain/orders/administration/merchant-events.ts';
import { fromMinor, MINOR_PER_UNIT } from '#domain/orders/money.ts';
import { orderStatus, type OrderStatus, type Statuses } from '#domain/orders/states.ts';
import { firstRow, type Transaction } from '#db/database.ts';
import type { Refund } from '../models/refunds.ts';

/**
 * Events for merchants are written in the transaction of the change they report, and only where the tenant has a
 * webhook. The caller holds the order's lock, so an order's events are numbered in the order of its changes.
 */

/** SQL for an order's data in its events, of a row `h` of the order. Amounts are in units. */
export const orderData = `'orderId', h.order_id, 'orderNo', h.order_no, 'tenantId', h.tenant_id,
  'orderStatus', h.order_status, 'pointsStatus', h.points_status, 'paymentStatus', h.payment_status,
  'totalMoney', trim_scale(h.total_minor / ${MINOR_PER_UNIT}.0), 'currency', h.currency`;

/** The same of `order.paid`, which alone says for whom to issue an invoice. */
export const paidOrderData = `${orderData}, 'invoice', json_build_object('carrierId', h.carrier_id,
  'carrierType', h.carrier_type, 'npoban', h.npoban, 'buyerIdentifier', h.buyer_identifier, 'buyerName', h.buyer_name)`;

/**
 * SQL for an event of the one row that `source` may have, if its tenant has a webhook: common table expressions with
 * the parameters `eventId` and `deliveryId`. `key share` makes the webhook's removal wait, so that no event is left behind
 * without one. The lock on the order's last event makes it either settled now, or settled by a transaction that will see
 * this event and wake it.
 * @param data of the row `h`, as arguments of json_build_object
 */
export const writingEvents = ({
  source,
  type,
  data,
}: {
  source: string;
  type: string;
  data: string;
}) => `hook as materialized (
    select s.*, clock_timestamp() as at from ${source} s join webhook w on w.tenant_id = s.tenant_id
    for key share of w),
  last as materialized (
    select e.sequence, d.settled_at
    from hook h join merchant_event e on e.order_id = h.order_id join delivery d using (event_id)
    order by e.sequence desc limit 1 for share of d),
  event as (
    insert into merchant_event (event_id, tenant_id, order_id, sequence, type, body, created_at)
    select cast(:eventId as uuid), h.tenant_id, h.order_id, coalesce((select sequence from last), 0) + 1, ${type},
      json_build_object('type', ${type}, 'timestamp', to_char(h.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'data', json_build_object(${data})), h.at
    from hook h returning event_id, tenant_id),
  delivery_row as (
    insert into delivery (delivery_id, event_id, tenant_id, next_attempt_at)
    select cast(:deliveryId as uuid), event_id, tenant_id,
      case when not exists (select 1 from last where settled_at is null) then now() end
    from event returning delivery_id)`;

const type = 'cast(:type as text)';
const order = '(select * from customer_order where order_id = :orderId)';

const insertEvent = `with ${writingEvents({ source: order, type, data: orderData })} select 1`;
const insertPaidEvent = `with ${writingEvents({ source: order, type, data: paidOrderData })} select 1`;

const refund = `'refund', cast(:refund as json)`;
const insertRefundEvent = `with ${writingEvents({ source: order, type, data: `${orderData}, ${refund}` })} select 1`;

const insertTestEvent = `with ${writingEvents({
  source: '(select cast(null as text) as order_id, cast(:tenantId as text) as tenant_id)',
  type: `'${'webhook.test' satisfies MerchantEventType}'`,
  data: `'tenantId', h.tenant_id`,
})} select delivery_id from delivery_row`;

const newIds = () => ({ eventId: uuidv7(), deliveryId: uuidv7() });

/** Records an event that only tries the webhook out. @returns the id of its delivery; null without a webhook */
export async function recordTestEvent(transaction: Transaction, tenantId: string): Promise<string | null> {
  const written = await firstRow<{ deliveryId: string }>(transaction, insertTestEvent, { tenantId, ...newIds() });
  return written?.deliveryId ?? null;
}

/**
 * Records an event of an order with the order's data as it is now: call it after the change, in its transaction.
 * `refunded` belongs to `refund.succeeded`.
 */
export async function recordMerchantEvent(
  transaction: Transaction,
  orderId: string,
  event: MerchantEventType,
  refunded?: Pick<Refund, 'refundId' | 'chargeId' | 'amountMinor' | 'origin'>,
): Promise<void> {
  const bindings = { orderId, type: event, ...newIds() };
  if (!refunded) {
    await firstRow(transaction, event === 'order.paid' ? insertPaidEvent : insertEvent, bindings);
    return;
  }
  const { refundId, chargeId, amountMinor, origin } = refunded;
  const money = { refundId, chargeId, amount: amountMinor === null ? null : fromMinor(amountMinor), origin };
  await firstRow(transaction, insertRefundEvent, { ...bindings, refund: JSON.stringify(money) });
}

const typeOf: Partial<Record<OrderStatus, MerchantEventType>> = {
  [orderStatus.DONE]: 'order.paid',
  [orderStatus.CANCELLED]: 'order.cancelled',
  [orderStatus.TIMEOUT]: 'order.expired',
  [orderStatus.FAILED]: 'order.failed',
};

/** Records what a change of an order's statuses means to its merchant; most mean nothing. */
export async function recordStatusEvent(
  transaction: Transaction,
  before: Pick<Statuses, 'orderStatus'> & { orderId: string },
  { orderStatus: now }: Pick<Statuses, 'orderStatus'>,
): Promise<void> {
  const type = now === before.orderStatus ? undefined : typeOf[now];
  if (type !== undefined) await recordMerchantEvent(transaction, before.orderId, type);
}

/** Records that an order without open flags now has one. */
export async function recordFlagged(
  transaction: Transaction,
  before: { orderId: string; flags: readonly string[] },
): Promise<void> {
  if (before.flags.length > 0) return;
  const open = await firstRow(
    transaction,
    'select 1 from order_flag where order_id = :orderId and resolved_at is null limit 1',
    { orderId: before.orderId },
  );
  if (open) await recordMerchantEvent(transaction, before.orderId, 'order.flagged');
}
