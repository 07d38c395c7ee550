import { uuidv7 } from 'uuidv7';
import type { MerchantEvent, MerchantEventType } from '../../../domain/orders/administration/merchant-events.ts';
import { fromMinor } from '../../../domain/orders/money.ts';
import { orderStatus, type OrderStatus, type Statuses } from '../../../domain/orders/states.ts';
import { firstRow, type Transaction } from '../../database.ts';
import type { Refund } from '../models/refunds.ts';

/**
 * Events for merchants are written in the transaction of the change they report, and only where the tenant has a
 * webhook. The caller holds the order's lock, so an order's events are numbered in the order of its changes.
 */

type Row = Statuses & {
  orderId: string;
  orderNo: string;
  tenantId: string;
  totalMinor: number;
  currency: string;
  at: Date;
};

/** `key share` makes the webhook's removal wait, so that no event is left behind without one. */
const orderWithWebhook = `select o.order_id, o.order_no, o.tenant_id, o.order_status, o.points_status,
    o.payment_status, o.total_minor, o.currency, clock_timestamp() as at
  from customer_order o join webhook w on w.tenant_id = o.tenant_id
  where o.order_id = :orderId for key share of w`;

/**
 * The lock makes the order's last event either settled now, or settled by a transaction that will see this event and
 * wake it.
 */
const insertEvent = `with last as (
    select e.sequence, d.settled_at from merchant_event e join delivery d using (event_id)
    where e.order_id = :orderId order by e.sequence desc limit 1 for share of d
  ), event as (
    insert into merchant_event (event_id, tenant_id, order_id, sequence, type, body, created_at)
    values (:eventId, :tenantId, :orderId, coalesce((select sequence from last), 0) + 1, :type, :body, :at)
    returning event_id, tenant_id
  )
  insert into delivery (delivery_id, event_id, tenant_id, next_attempt_at)
  select :deliveryId, event_id, tenant_id,
    case when not exists (select 1 from last where settled_at is null) then now() end
  from event returning delivery_id`;

/** @returns the id of its delivery. */
export async function insertMerchantEvent(
  transaction: Transaction,
  orderId: string | null,
  event: Omit<MerchantEvent, 'timestamp'>,
  at: Date,
): Promise<string> {
  const { type, data } = event;
  const deliveryId = uuidv7();
  await firstRow(transaction, insertEvent, {
    eventId: uuidv7(),
    deliveryId,
    orderId,
    tenantId: data.tenantId,
    type,
    body: JSON.stringify({ type, timestamp: at.toISOString(), data }),
    at,
  });
  return deliveryId;
}

/**
 * Records an event of an order with the order's data as it is now: call it after the change, in its transaction.
 * `refund` belongs to `refund.succeeded`.
 */
export async function recordMerchantEvent(
  transaction: Transaction,
  orderId: string,
  type: MerchantEventType,
  refund?: Pick<Refund, 'refundId' | 'chargeId' | 'amountMinor'>,
): Promise<void> {
  const row = await firstRow<Row>(transaction, orderWithWebhook, { orderId });
  if (!row) return;
  const { totalMinor, currency, at, ...order } = row;
  const refunded = refund && {
    refundId: refund.refundId,
    chargeId: refund.chargeId,
    amount: refund.amountMinor === null ? null : fromMinor(refund.amountMinor),
  };
  const data = { ...order, totalMoney: fromMinor(totalMinor), currency, ...(refunded ? { refund: refunded } : {}) };
  await insertMerchantEvent(transaction, orderId, { type, data }, at);
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
