import type { GatewayCallback } from '#domain/orders/callback.ts';
import { CHARGE_PAID } from '#domain/orders/event-types.ts';
import { orderStatus } from '#domain/orders/states.ts';
import { type Database, firstRow, type Transaction } from '#db/database.ts';
import { type EventStatus, GatewayEvent } from '../models/events.ts';
import { PaymentAttempt } from '../models/payments.ts';
import type { OrderRow } from '../orders.ts';
import { lockOrder } from '../payments.ts';
import { decideRefund } from '../refunds/decide.ts';
import { lockName, transact } from '../transaction.ts';
import { raiseFlagsOn } from './flags.ts';

/** What a recorded callback requires. */
export interface RecordedEvent {
  status: EventStatus;
  /** Null if it matches none. */
  order: Pick<OrderRow, 'orderId' | 'tenantId' | 'attempt'> | null;
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

async function currentCharge(transaction: Transaction, order: OrderRow): Promise<string | null> {
  const row = await PaymentAttempt.query(transaction).findById([order.orderId, order.attempt]);
  return row?.chargeId ?? null;
}

/** A payment of the order is in progress, whose charge may not be known yet. */
const isOpen = ({ orderStatus: status }: OrderRow) =>
  status === orderStatus.PAYMENT_PENDING || status === orderStatus.POINTS_UNKNOWN;

/** Instead of an order's row: what is reported about money without an order waits for each other here. */
export const lockUnmatchedCharge = (transaction: Transaction, chargeId: string): Promise<void> =>
  lockName(transaction, ['unmatched charge', chargeId]);

/**
 * Money that fits no order is one thing for staff to decide, however often, and by whatever, it is reported: another report
 * about the same charge of the same shop has nothing new.
 */
async function judgeUnmatched(transaction: Transaction, { chargeId, shopId }: GatewayCallback): Promise<EventStatus> {
  await lockUnmatchedCharge(transaction, chargeId);
  const reported = await GatewayEvent.query(transaction)
    .findOne({ chargeId, shopId, type: CHARGE_PAID })
    .whereNull('orderId');
  return reported ? 'settled' : 'unmatched';
}

/** What an event means for the order in its current state; decides on a refund if no payment accepts the money. */
async function judge(transaction: Transaction, event: GatewayCallback, order: OrderRow | null): Promise<EventStatus> {
  if (event.type !== CHARGE_PAID) return 'ignored';
  if (!order) return judgeUnmatched(transaction, event);
  const current = await currentCharge(transaction, order);
  if (isOpen(order) && (current === null || current === event.chargeId)) return 'stored';
  if (order.orderStatus === orderStatus.DONE && current === event.chargeId) return 'settled';
  return (await decideRefund(transaction, order, event.chargeId)) ? 'refunded' : 'settled';
}

/** What must not change under one event id. */
const content = ({ type, chargeId, orderNo, shopId, amount, currency }: GatewayCallback) => ({
  type,
  chargeId,
  orderNo,
  shopId,
  amount,
  currency,
});

/** One event id stands for one event: another content under it is for staff to look at. */
export async function flagConflict(
  transaction: Transaction,
  before: GatewayEvent,
  event: GatewayCallback,
): Promise<void> {
  const expected = JSON.stringify(content(before));
  const reported = JSON.stringify(content(event));
  if (before.orderId === null || expected === reported) return;
  await raiseFlagsOn(transaction, before.orderId, [{ code: 'event_conflict', expected, reported }]);
}

/**
 * Records a callback, once per event id. The order's row lock puts it before or after any transition: either the
 * transition sees the event, or the event sees the transition.
 */
export async function recordEvent(database: Database, event: GatewayCallback, body: string): Promise<RecordedEvent> {
  return transact(database, async (transaction) => {
    const order = await orderOfEvent(transaction, event);
    const before = await GatewayEvent.query(transaction).findById(event.eventId);
    if (before) {
      await flagConflict(transaction, before, event);
      // A conflicting event may name another order: that of the recorded one goes on.
      return { status: before.status, order: order?.orderId === before.orderId ? order : null, refund: false };
    }
    const status = await judge(transaction, event, order);
    await GatewayEvent.query(transaction)
      .insert({ eventId: event.eventId, ...content(event), body, orderId: order?.orderId ?? null, status })
      .onConflict('eventId')
      .ignore();
    return { status, order, refund: status === 'refunded' };
  });
}

/** The recorded callbacks about money that have not settled the pending order. */
export async function storedEvents(database: Database, orderId: string): Promise<GatewayCallback[]> {
  return GatewayEvent.query(database)
    .select('eventId', 'type', 'chargeId', 'orderNo', 'shopId', 'amount', 'currency')
    .where({ orderId, status: 'stored', type: CHARGE_PAID })
    .orderBy(['receivedAt', 'eventId']);
}

async function closeStored(transaction: Transaction, { eventId }: GatewayCallback, refunded: boolean): Promise<void> {
  await GatewayEvent.query(transaction)
    .findById(eventId)
    .patch({ status: refunded ? 'refunded' : 'settled' });
}

/** The pending order's charge is known now: money for any other charge goes back. */
export async function refundOtherCharges(transaction: Transaction, order: OrderRow, chargeId: string): Promise<void> {
  for (const event of await storedEvents(transaction, order.orderId)) {
    if (event.chargeId === chargeId) continue;
    await closeStored(transaction, event, await decideRefund(transaction, order, event.chargeId));
  }
}

/**
 * What becomes of the money of the charge of an order that ends: it completes the order, goes back because it came too
 * late, goes back because staff decided so, or was reported but never came.
 */
export type Settlement = 'accepted' | 'unaccepted' | 'returned' | 'never came';

/**
 * Closes the events of an order that ends; money for any other charge goes back. Call it in the transaction of the
 * transition, after the new statuses are set.
 */
export async function settleStoredEvents(
  transaction: Transaction,
  order: OrderRow,
  settlement: Settlement,
): Promise<void> {
  const own = await currentCharge(transaction, order);
  if (settlement === 'returned' && own !== null) await decideRefund(transaction, order, own);
  for (const event of await storedEvents(transaction, order.orderId)) {
    const kept = event.chargeId === own && (settlement === 'accepted' || settlement === 'never came');
    await closeStored(transaction, event, !kept && (await decideRefund(transaction, order, event.chargeId)));
  }
}

/** Closes an event that turned out to contain nothing new, so that it is not examined again. */
export async function closeEvent(database: Database, eventId: string, status: EventStatus): Promise<void> {
  await GatewayEvent.query(database).findById(eventId).where({ status: 'stored' }).patch({ status });
}
