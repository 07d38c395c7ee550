import { fn } from 'objection';
import { fromMinor } from '../../../domain/orders/money.ts';
import type { PaymentRef, PaymentState } from '../../../domain/orders/payment.ts';
import { orderStatus, type Statuses, transitions } from '../../../domain/orders/states.ts';
import { type Database, firstRow, type Transaction } from '../../database.ts';
import { settleStoredEvents } from '../events/events.ts';
import { changeHold } from '../holds.ts';
import { hasPoints } from '../ledger.ts';
import { OrderFlag, PaymentAttempt } from '../models.ts';
import type { OrderRow } from '../orders.ts';
import { lockOrder, readPayment, setStatuses } from '../payments.ts';
import { transact } from '../transaction.ts';

/** What is sent to the gateway; the same for every retry. */
export interface ChargeTerms {
  orderNo: string;
  shopId: string;
  /** In units. */
  amount: number;
  currency: string;
  description: string;
  resultUrl: string | null;
  cancelUrl: string | null;
  expiresAt: Date;
  /** How often it has been sent, including this time. */
  sends: number;
}

type TermsRow = Omit<ChargeTerms, 'amount' | 'description'> & { totalMinor: number; title: string | null };

/**
 * Counts a send before it happens, so that a crash afterwards is not taken for "never sent".
 * @returns null if the attempt already has its charge, or no longer holds anything.
 */
export async function beginChargeSend(database: Database, ref: PaymentRef): Promise<ChargeTerms | null> {
  const row = await firstRow<TermsRow>(
    database,
    `update payment_attempt a set charge_sends = charge_sends + 1 from customer_order o
     where a.order_id = :orderId and a.attempt = :attempt and a.charge_id is null and a.hold_status = 'reserved'
       and o.order_id = a.order_id and o.attempt = a.attempt and o.order_status = ${orderStatus.PAYMENT_PENDING}
     returning o.order_no, a.shop_id, o.currency, o.total_minor, o.title,
       a.result_url, a.cancel_url, a.expires_at, a.charge_sends as sends`,
    { ...ref },
  );
  if (!row) return null;
  const { totalMinor, title, ...terms } = row;
  return { ...terms, amount: fromMinor(totalMinor), description: title ?? terms.orderNo };
}

/** Stores the charge that the gateway created for this attempt. */
export async function recordCharge(
  database: Database,
  ref: PaymentRef,
  charge: { chargeId: string; paymentUrl: string },
): Promise<PaymentState> {
  await PaymentAttempt.query(database)
    .findById([ref.orderId, ref.attempt])
    .whereNull('chargeId')
    .patch({ chargeId: charge.chargeId, paymentUrl: charge.paymentUrl });
  return readPayment(database, ref.orderId);
}

/** The agreed terms of an attempt's charge; null if it has none. Amount in units. */
export async function chargedTerms(
  database: Database,
  ref: PaymentRef,
): Promise<{ chargeId: string; amount: number; currency: string; shopId: string } | null> {
  const row = await PaymentAttempt.query(database)
    .findById([ref.orderId, ref.attempt])
    .whereNotNull('chargeId')
    .joinRelated('order')
    .select('chargeId', 'order.totalMinor', 'order.currency', 'payment_attempt.shopId')
    .castTo<{ chargeId: string; totalMinor: number; currency: string; shopId: string } | undefined>();
  if (!row) return null;
  const { totalMinor, ...terms } = row;
  return { ...terms, amount: fromMinor(totalMinor) };
}

/** Ends the hold once: false in every transaction except the one that changes it from `reserved`. */
async function endHold(transaction: Transaction, order: OrderRow, to: 'committed' | 'released'): Promise<boolean> {
  const ended = await firstRow(
    transaction,
    `update payment_attempt set hold_status = :to
     where order_id = :orderId and attempt = :attempt and hold_status = 'reserved' returning 1`,
    { to, orderId: order.orderId, attempt: order.attempt },
  );
  if (!ended) return false;
  await changeHold(transaction, to === 'committed' ? 'commit' : 'release', order);
  return true;
}

async function openFlags(transaction: Transaction, orderId: string): Promise<boolean> {
  const open = await OrderFlag.query(transaction).findOne({ orderId }).whereNull('resolvedAt');
  return open !== undefined;
}

async function closeFlags(transaction: Transaction, orderId: string): Promise<void> {
  await OrderFlag.query(transaction).where({ orderId }).whereNull('resolvedAt').patch({ resolvedAt: fn.now() });
}

/** Runs a transition of a pending order under its lock; an order that has moved on is left unchanged. */
async function fromPending(
  database: Database,
  ref: PaymentRef,
  transition: (transaction: Transaction, order: OrderRow) => Promise<void>,
): Promise<PaymentState> {
  return transact(database, async (transaction) => {
    const order = await lockOrder(transaction, ref.orderId);
    const pending = order?.orderStatus === orderStatus.PAYMENT_PENDING && order.attempt === ref.attempt;
    if (order && pending) await transition(transaction, order);
    return readPayment(transaction, ref.orderId);
  });
}

/** PAYMENT_PENDING → DONE 30/30/30: holds committed. A flagged order completes only by a decision of staff. */
export async function completePayment(
  database: Database,
  ref: PaymentRef,
  by: 'gateway' | 'staff',
): Promise<PaymentState> {
  return fromPending(database, ref, async (transaction, order) => {
    if (by === 'gateway' && (await openFlags(transaction, order.orderId))) return;
    if (!(await endHold(transaction, order, 'committed'))) return;
    await closeFlags(transaction, order.orderId);
    await setStatuses(transaction, order, transitions.paid());
    await settleStoredEvents(transaction, order, 'completed');
  });
}

/** Why a pending order ends without success. */
export type PaymentEnd = 'refused' | 'expired' | 'cancelled' | 'refund';

const endStatuses: Record<PaymentEnd, (points: boolean) => Statuses> = {
  refused: transitions.rejectedByGateway,
  expired: transitions.expired,
  cancelled: transitions.cancelled,
  refund: transitions.refundedByStaff,
};

/**
 * PAYMENT_PENDING → FAILED, TIMEOUT or CANCELLED: holds released. The caller knows that the charge is cancelled, was
 * never made, or (`refund`) will be refunded. A flagged order ends only by a decision of staff.
 */
export async function endPayment(database: Database, ref: PaymentRef, end: PaymentEnd): Promise<PaymentState> {
  return fromPending(database, ref, async (transaction, order) => {
    if (end !== 'refund' && (await openFlags(transaction, order.orderId))) return;
    if (!(await endHold(transaction, order, 'released'))) return;
    await closeFlags(transaction, order.orderId);
    await setStatuses(transaction, order, endStatuses[end](hasPoints(order)));
    await settleStoredEvents(transaction, order, end === 'refund' ? 'refund' : 'ended');
  });
}

/**
 * PAYMENT_PENDING → CREATED: the gateway was never reached, holds are released, and the next pay is a new attempt.
 */
export async function undoPayment(database: Database, ref: PaymentRef): Promise<PaymentState> {
  return fromPending(database, ref, async (transaction, order) => {
    if (!(await endHold(transaction, order, 'released'))) return;
    await setStatuses(transaction, order, transitions.created(), { nextAttempt: true });
  });
}
