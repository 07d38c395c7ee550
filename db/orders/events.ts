import { CHARGE_PAID, type GatewayCallback } from '../../domain/orders/callback.ts';
import { orderStatus, paymentStatus } from '../../domain/orders/states.ts';
import { type Database, firstRow, rows, type Transaction } from '../database.ts';
import type { OrderRow } from './orders.ts';
import { lockOrder } from './payments.ts';
import { transact } from './transaction.ts';

type EventStatus = 'stored' | 'settled' | 'refunded' | 'unmatched' | 'ignored';

/** What a recorded callback calls for. */
export interface RecordedEvent {
  status: EventStatus;
  orderId: string | null;
  /** The charge is to be refunded. */
  refund: boolean;
}

/** The order of a charge we know, else the one of the order number (its charge's answer may still be under way). */
async function orderOfEvent(trx: Transaction, event: GatewayCallback): Promise<OrderRow | null> {
  const found = await firstRow<{ orderId: string }>(
    trx,
    `select order_id from payment_attempt where charge_id = :chargeId
     union all
     select order_id from customer_order where order_no = :orderNo limit 1`,
    { chargeId: event.chargeId, orderNo: event.orderNo },
  );
  return found && lockOrder(trx, found.orderId);
}

async function chargeOf(trx: Transaction, order: OrderRow): Promise<string | null> {
  const row = await firstRow<{ chargeId: string | null }>(
    trx,
    'select charge_id from payment_attempt where order_id = :orderId and attempt = :attempt',
    { orderId: order.orderId, attempt: order.attempt },
  );
  return row?.chargeId ?? null;
}

/** Money of an order that does not take it goes back, once a charge. @returns false where that was decided before. */
async function decideRefund(trx: Transaction, order: OrderRow, chargeId: string): Promise<boolean> {
  const decided = await firstRow(
    trx,
    `insert into refund (charge_id, order_id, status) values (:chargeId, :orderId, 'pending')
     on conflict (charge_id) do nothing returning 1`,
    { chargeId, orderId: order.orderId },
  );
  if (!decided) return false;
  // A completed order keeps 30: only the other charge's money goes back.
  await trx.raw(
    `update customer_order set payment_status = :refundPending, updated_at = now()
     where order_id = :orderId and order_status <> :done`,
    { refundPending: paymentStatus.REFUND_PENDING, orderId: order.orderId, done: orderStatus.DONE },
  );
  return true;
}

/** What an event means for the order as it stands; decides on a refund where its money comes too late. */
async function judge(trx: Transaction, event: GatewayCallback, order: OrderRow | null): Promise<EventStatus> {
  if (event.type !== CHARGE_PAID) return 'ignored';
  if (!order || order.orderStatus === orderStatus.CREATED) return 'unmatched';
  if (order.orderStatus === orderStatus.PAYMENT_PENDING || order.orderStatus === orderStatus.POINTS_UNKNOWN)
    return 'stored';
  if (order.orderStatus === orderStatus.DONE && (await chargeOf(trx, order)) === event.chargeId) return 'settled';
  return (await decideRefund(trx, order, event.chargeId)) ? 'refunded' : 'settled';
}

/**
 * Records a callback, once an event id. The order's row lock puts it before or after any transition: the transition sees
 * the event, or the event sees the transition.
 */
export async function recordEvent(database: Database, event: GatewayCallback, body: string): Promise<RecordedEvent> {
  return transact(database, async (trx) => {
    const order = await orderOfEvent(trx, event);
    const before = await firstRow<{ status: EventStatus; orderId: string | null }>(
      trx,
      'select status, order_id from gateway_event where event_id = :eventId',
      { eventId: event.eventId },
    );
    if (before) return { ...before, refund: false };
    const status = await judge(trx, event, order);
    const orderId = order?.orderId ?? null;
    await trx.raw(
      `insert into gateway_event (event_id, type, charge_id, order_no, shop_id, amount, currency, body, order_id, status)
       values (:eventId, :type, :chargeId, :orderNo, :shopId, :amount, :currency, :body, :orderId, :status)
       on conflict (event_id) do nothing`,
      { ...event, body, orderId, status },
    );
    return { status, orderId, refund: status === 'refunded' };
  });
}

/** The recorded callbacks that a pending order has not been settled by. */
export async function storedEvents(database: Database, orderId: string): Promise<GatewayCallback[]> {
  return rows(
    database,
    `select event_id, type, charge_id, order_no, shop_id, amount,
       currency from gateway_event where order_id = :orderId and status = 'stored' order by received_at, event_id`,
    { orderId },
  );
}

/**
 * Closes the events of an order that ends: the completed charge's are settled, any other money goes back; `refund` gives
 * back the order's own charge too. To be called in the transaction of the transition, after its new statuses are set.
 */
export async function settleStoredEvents(
  trx: Transaction,
  order: OrderRow,
  end: 'completed' | 'ended' | 'refund',
): Promise<void> {
  const own = await chargeOf(trx, order);
  if (end === 'refund' && own !== null) await decideRefund(trx, order, own);
  for (const event of await storedEvents(trx, order.orderId)) {
    const kept = end === 'completed' && event.chargeId === own;
    const refunded = !kept && (await decideRefund(trx, order, event.chargeId));
    await trx.raw('update gateway_event set status = :status where event_id = :eventId', {
      status: refunded ? 'refunded' : 'settled',
      eventId: event.eventId,
    });
  }
}

/** Marks events that turned out to say nothing new, so that nobody looks at them again. */
export async function closeEvent(database: Database, eventId: string, status: EventStatus): Promise<void> {
  await database.raw(`update gateway_event set status = :status where event_id = :eventId and status = 'stored'`, {
    eventId,
    status,
  });
}
