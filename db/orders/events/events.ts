import { CHARGE_PAID, type GatewayCallback } from '../../../domain/orders/callback.ts';
import { orderStatus, paymentStatus } from '../../../domain/orders/states.ts';
import { type Database, firstRow, type Transaction } from '../../database.ts';
import { type EventStatus, GatewayEvent, PaymentAttempt } from '../models.ts';
import type { OrderRow } from '../orders.ts';
import { lockOrder } from '../payments.ts';
import { transact } from '../transaction.ts';

/** What a recorded callback requires. */
export interface RecordedEvent {
  status: EventStatus;
  orderId: string | null;
  /** The charge must be refunded. */
  refund: boolean;
}

/**
 * The order of a known charge, otherwise the one with the order number: the response with its charge may still be in
 * flight.
 */
async function orderOfEvent(transaction: Transaction, event: GatewayCallback): Promise<OrderRow | null> {
  const found = await firstRow<{ orderId: string }>(
    transaction,
    `select order_id from payment_attempt where charge_id = :chargeId
     union all
     select order_id from customer_order where order_no = :orderNo limit 1`,
    { chargeId: event.chargeId, orderNo: event.orderNo },
  );
  return found && lockOrder(transaction, found.orderId);
}

async function chargeOf(transaction: Transaction, order: OrderRow): Promise<string | null> {
  const row = await PaymentAttempt.query(transaction).findById([order.orderId, order.attempt]);
  return row?.chargeId ?? null;
}

/** Refunds money that its order cannot accept, once per charge. @returns false if that was already decided. */
async function decideRefund(transaction: Transaction, order: OrderRow, chargeId: string): Promise<boolean> {
  const decided = await firstRow(
    transaction,
    `insert into refund (refund_id, kind, charge_id, order_id, tenant_id, status)
     values (:chargeId, 'unaccepted', :chargeId, :orderId, :tenantId, 'pending')
     on conflict (refund_id) do nothing returning 1`,
    { chargeId, orderId: order.orderId, tenantId: order.tenantId },
  );
  if (!decided) return false;
  // A completed order stays paid: only the other charge is refunded.
  await transaction.raw(
    `update customer_order set payment_status = :refundPending, updated_at = now()
     where order_id = :orderId and order_status <> :done`,
    { refundPending: paymentStatus.REFUND_PENDING, orderId: order.orderId, done: orderStatus.DONE },
  );
  return true;
}

/** What an event means for the order in its current state; decides on a refund if the money arrives too late. */
async function judge(transaction: Transaction, event: GatewayCallback, order: OrderRow | null): Promise<EventStatus> {
  if (event.type !== CHARGE_PAID) return 'ignored';
  if (!order || order.orderStatus === orderStatus.CREATED) return 'unmatched';
  if (order.orderStatus === orderStatus.PAYMENT_PENDING || order.orderStatus === orderStatus.POINTS_UNKNOWN)
    return 'stored';
  if (order.orderStatus === orderStatus.DONE && (await chargeOf(transaction, order)) === event.chargeId)
    return 'settled';
  return (await decideRefund(transaction, order, event.chargeId)) ? 'refunded' : 'settled';
}

/**
 * Records a callback, once per event id. The order's row lock puts it before or after any transition: either the
 * transition sees the event, or the event sees the transition.
 */
export async function recordEvent(database: Database, event: GatewayCallback, body: string): Promise<RecordedEvent> {
  return transact(database, async (transaction) => {
    const order = await orderOfEvent(transaction, event);
    const before = await GatewayEvent.query(transaction).findById(event.eventId);
    if (before) return { status: before.status, orderId: before.orderId, refund: false };
    const status = await judge(transaction, event, order);
    const orderId = order?.orderId ?? null;
    const { eventId, type, chargeId, orderNo, shopId, amount, currency } = event;
    await GatewayEvent.query(transaction)
      .insert({ eventId, type, chargeId, orderNo, shopId, amount, currency, body, orderId, status })
      .onConflict('eventId')
      .ignore();
    return { status, orderId, refund: status === 'refunded' };
  });
}

/** The recorded callbacks that have not settled the pending order. */
export async function storedEvents(database: Database, orderId: string): Promise<GatewayCallback[]> {
  return GatewayEvent.query(database)
    .select('eventId', 'type', 'chargeId', 'orderNo', 'shopId', 'amount', 'currency')
    .where({ orderId, status: 'stored' })
    .orderBy(['receivedAt', 'eventId']);
}

/**
 * Closes the events of an order that ends: the completed charge's are settled, any other money is refunded; `refund`
 * refunds the order's own charge, too. Call it in the transaction of the transition, after the new statuses are set.
 */
export async function settleStoredEvents(
  transaction: Transaction,
  order: OrderRow,
  end: 'completed' | 'ended' | 'refund',
): Promise<void> {
  const own = await chargeOf(transaction, order);
  if (end === 'refund' && own !== null) await decideRefund(transaction, order, own);
  for (const event of await storedEvents(transaction, order.orderId)) {
    const kept = end === 'completed' && event.chargeId === own;
    const refunded = !kept && (await decideRefund(transaction, order, event.chargeId));
    await GatewayEvent.query(transaction)
      .findById(event.eventId)
      .patch({ status: refunded ? 'refunded' : 'settled' });
  }
}

/** Closes an event that turned out to contain nothing new, so that it is not examined again. */
export async function closeEvent(database: Database, eventId: string, status: EventStatus): Promise<void> {
  await GatewayEvent.query(database).findById(eventId).where({ status: 'stored' }).patch({ status });
}
