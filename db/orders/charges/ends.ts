import { fn } from 'objection';
import type { PaymentRef, PaymentState } from '#domain/orders/payment.ts';
import { orderStatus, type Statuses, transitions } from '#domain/orders/states.ts';
import { type Database, firstRow, type Transaction } from '#db/database.ts';
import { type Settlement, settleStoredEvents } from '../events/events.ts';
import { openFlags } from '../events/flags.ts';
import { bookReceipt, bookVoid } from '../books/cash.ts';
import { changeHold } from '../holds.ts';
import { hasPoints } from '../ledger.ts';
import type { OrderRow } from '../orders.ts';
import { lockOrder, readPayment, setStatuses } from '../payments.ts';
import { recordReturned, type ReturnedCharge } from '../refunds/returned.ts';
import { transact } from '../transaction.ts';

/**
 * The charge as the caller left it: made never, after this many sends. What a call that timed out finds out later
 * must not end a payment whose charge was made by the call after it.
 */
export interface NeverCharged {
  sends: number;
}

/** What the gateway showed as received when the hold ended. */
interface EndedHold {
  receivedMinor: number | null;
  receivedCurrency: string | null;
}

/**
 * Ends the hold once: null in every transaction except the one that changes it from `reserved`, which then moves what
 * is held as its last step. A charge that was given up is read again later, for money that comes nevertheless.
 */
async function endHold(
  transaction: Transaction,
  order: OrderRow,
  to: 'committed' | 'released',
  fence: NeverCharged | null,
): Promise<EndedHold | null> {
  return firstRow<EndedHold>(
    transaction,
    `update payment_attempt set hold_status = :to, ended_at = now(),
       next_read_at = case when charge_id is not null and :to = 'released' then now() + interval '1 minute' end
     where order_id = :orderId and attempt = :attempt and hold_status = 'reserved'
       ${fence ? 'and charge_id is null and charge_sends = :sends' : ''} returning received_minor, received_currency`,
    { to, orderId: order.orderId, attempt: order.attempt, ...fence },
  );
}

async function isFlagged(transaction: Transaction, orderId: string): Promise<boolean> {
  return (await openFlags(transaction, orderId).first()) !== undefined;
}

/** How the payment ends by a decision of staff that has not been carried out, or by its payer's; null if nobody has decided. */
async function decidedEnd(transaction: Transaction, orderId: string): Promise<'unpaid' | 'cancelled' | null> {
  if (await openFlags(transaction, orderId).findOne({ resolution: 'refund' })) return 'unpaid';
  const { cancelRequested } = await readPayment(transaction, orderId);
  return cancelRequested && !(await isFlagged(transaction, orderId)) ? 'cancelled' : null;
}

async function closeFlags(transaction: Transaction, orderId: string): Promise<void> {
  await openFlags(transaction, orderId).patch({ resolvedAt: fn.now() });
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
    if (by === 'gateway' && (await isFlagged(transaction, order.orderId))) return;
    const ended = await endHold(transaction, order, 'committed', null);
    if (!ended) return;
    const { receivedMinor, receivedCurrency } = ended;
    const received =
      receivedMinor === null || receivedCurrency === null ? null : { minor: receivedMinor, currency: receivedCurrency };
    await closeFlags(transaction, order.orderId);
    await setStatuses(transaction, order, transitions.paid());
    await bookReceipt(transaction, order, received);
    await settleStoredEvents(transaction, order, 'accepted');
    await changeHold(transaction, 'commit', order);
  });
}

/**
 * Why a pending order ends without success. `refund` and `unpaid` are decisions of staff about a flagged order, whose
 * charge was paid, or was cancelled before anybody paid it. `returned`: all of its money went back at the gateway's desk.
 */
export type PaymentEnd = 'refused' | 'expired' | 'cancelled' | 'refund' | 'unpaid' | 'returned';

const ends: Record<PaymentEnd, { statuses: (points: boolean) => Statuses; byStaff: boolean; money: Settlement }> = {
  refused: { statuses: transitions.rejectedByGateway, byStaff: false, money: 'unaccepted' },
  expired: { statuses: transitions.expired, byStaff: false, money: 'unaccepted' },
  cancelled: { statuses: transitions.cancelled, byStaff: false, money: 'unaccepted' },
  refund: { statuses: transitions.refundedByStaff, byStaff: true, money: 'returned' },
  unpaid: { statuses: transitions.rejectedByGateway, byStaff: true, money: 'never came' },
  returned: { statuses: transitions.refundedAtGateway, byStaff: false, money: 'returned' },
};

async function endPending(
  transaction: Transaction,
  order: OrderRow,
  end: PaymentEnd,
  fence: NeverCharged | null,
): Promise<void> {
  if (!(await endHold(transaction, order, 'released', fence))) return;
  const { statuses, byStaff, money } = ends[end];
  if (byStaff) await closeFlags(transaction, order.orderId);
  await setStatuses(transaction, order, statuses(hasPoints(order)));
  await bookVoid(transaction, order);
  await settleStoredEvents(transaction, order, money);
  await changeHold(transaction, 'release', order);
}

/**
 * PAYMENT_PENDING → FAILED, TIMEOUT or CANCELLED: holds released. The caller knows that the charge is cancelled, was
 * never made (`fence`: as far as that call knew), or (`refund`) is paid and will be refunded. A flagged order with a
 * charge ends only by a decision of staff. Without one there is nothing to decide on: it ends, and its flags stay for
 * staff to acknowledge. What staff or the payer have decided about a charge that was never made goes before `end`.
 */
export async function endPayment(
  database: Database,
  ref: PaymentRef,
  end: PaymentEnd,
  fence: NeverCharged | null = null,
): Promise<PaymentState> {
  return fromPending(database, ref, async (transaction, order) => {
    const { orderId } = order;
    if (fence) await endPending(transaction, order, (await decidedEnd(transaction, orderId)) ?? end, fence);
    else if (ends[end].byStaff || !(await isFlagged(transaction, orderId)))
      await endPending(transaction, order, end, null);
  });
}

/**
 * PAYMENT_PENDING → FAILED 40/40/60: all of the money that came went back at the gateway's desk before anybody here knew of it.
 * A flagged order waits for its staff.
 */
export async function endReturned(database: Database, ref: PaymentRef, charge: ReturnedCharge): Promise<PaymentState> {
  return fromPending(database, ref, async (transaction, order) => {
    if (await isFlagged(transaction, order.orderId)) return;
    await endPending(transaction, order, 'returned', null);
    await recordReturned(transaction, order, charge);
  });
}

async function undo(transaction: Transaction, order: OrderRow, fence: NeverCharged | null): Promise<void> {
  if (!(await endHold(transaction, order, 'released', fence))) return;
  await bookVoid(transaction, order);
  await setStatuses(transaction, order, transitions.created(), { nextAttempt: true });
  await settleStoredEvents(transaction, order, 'unaccepted');
  await changeHold(transaction, 'release', order);
}

/**
 * PAYMENT_PENDING → CREATED: the gateway was never reached, holds are released, and the next pay is a new attempt.
 * Nothing happens if the charge was sent again meanwhile. An order that staff have given up or its payer has cancelled
 * meanwhile ends instead.
 */
export async function undoPayment(database: Database, ref: PaymentRef, fence: NeverCharged): Promise<PaymentState> {
  return fromPending(database, ref, async (transaction, order) => {
    const end = await decidedEnd(transaction, order.orderId);
    if (end) await endPending(transaction, order, end, fence);
    else await undo(transaction, order, fence);
  });
}

/**
 * PAYMENT_PENDING → CREATED: the payer has cancelled the charge at the gateway, so nobody can pay it any more, and the
 * next pay is a new attempt. A charge that we cancel ourselves, on behalf of payer, staff or time, ends the order instead.
 * @param now the caller's clock
 */
export async function giveUpCharge(database: Database, ref: PaymentRef, now: Date): Promise<PaymentState> {
  return fromPending(database, ref, async (transaction, order) => {
    const { orderId, cancelRequested, expiresAt } = await readPayment(transaction, order.orderId);
    const isOurs = cancelRequested || expiresAt === null || Date.parse(expiresAt) <= now.getTime();
    if (isOurs || (await isFlagged(transaction, orderId))) return;
    await undo(transaction, order, null);
  });
}
