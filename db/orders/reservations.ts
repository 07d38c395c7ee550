import type { PaymentRef, PaymentState } from '#domain/orders/payment.ts';
import { orderStatus, transitions } from '#domain/orders/states.ts';
import type { Database, Transaction } from '../database.ts';
import { settleStoredEvents } from './events/events.ts';
import { hasPoints } from './ledger.ts';
import { PaymentAttempt } from './models/payments.ts';
import { lockOrder, readPayment, setStatuses } from './payments.ts';
import { transact } from './transaction.ts';

/** Reservations whose commit got no response: the order is at POINTS_UNKNOWN until they are looked up. */

async function holdExists(transaction: Transaction, ref: PaymentRef): Promise<boolean> {
  return (await PaymentAttempt.query(transaction).findById([ref.orderId, ref.attempt])) !== undefined;
}

/** Marks an order whose reservation may or may not exist: 10/20/0. */
export async function markReservationUnknown(database: Database, ref: PaymentRef): Promise<void> {
  await transact(database, async (transaction) => {
    const order = await lockOrder(transaction, ref.orderId);
    if (order?.attempt !== ref.attempt) return;
    const open = order.orderStatus === orderStatus.CREATED || order.orderStatus === orderStatus.PAYMENT_PENDING;
    if (open) await setStatuses(transaction, order, transitions.reservationUnknown(hasPoints(order)));
  });
}

/**
 * POINTS_UNKNOWN → PAYMENT_PENDING if the reservation exists, otherwise back to CREATED. The order's row lock makes
 * this wait for a commit that is still in progress.
 */
export async function resolveReservation(database: Database, ref: PaymentRef): Promise<PaymentState> {
  return transact(database, async (transaction) => {
    const order = await lockOrder(transaction, ref.orderId);
    if (order?.orderStatus === orderStatus.POINTS_UNKNOWN && order.attempt === ref.attempt) {
      if (await holdExists(transaction, ref))
        await setStatuses(transaction, order, transitions.pending(hasPoints(order)));
      else {
        await setStatuses(transaction, order, transitions.created(), { nextAttempt: true });
        await settleStoredEvents(transaction, order, 'unaccepted');
      }
    }
    return readPayment(transaction, ref.orderId);
  });
}
