import { fromMinor } from '../../domain/orders/money.ts';
import type { PaymentRef, PaymentState } from '../../domain/orders/payment.ts';
import { orderStatus, type Statuses, transitions } from '../../domain/orders/states.ts';
import { type Database, firstRow, type Transaction } from '../database.ts';
import { settleStoredEvents } from './events.ts';
import { changeHold } from './holds.ts';
import { hasPoints } from './ledger.ts';
import type { OrderRow } from './orders.ts';
import { lockOrder, readPayment, setStatuses } from './payments.ts';
import { transact } from './transaction.ts';

/** What is sent to the gateway; the same at every repetition. */
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
  /** How often it was sent, this time included. */
  sends: number;
}

type TermsRow = Omit<ChargeTerms, 'amount' | 'description'> & { totalMinor: number; title: string | null };

/**
 * Counts a sending before it happens, so that a crash after it is not taken for "never sent".
 * @returns null where the attempt has its charge, or holds nothing any more.
 */
export async function beginChargeSend(database: Database, ref: PaymentRef): Promise<ChargeTerms | null> {
  const row = await firstRow<TermsRow>(
    database,
    `update payment_attempt a set charge_sends = charge_sends + 1 from customer_order o
     where a.order_id = :orderId and a.attempt = :attempt and a.charge_id is null and a.hold_status = 'reserved'
       and o.order_id = a.order_id and o.attempt = a.attempt and o.order_status = 20
     returning o.order_no, a.shop_id, a.currency, o.total_minor, o.title,
       a.result_url, a.cancel_url, a.expires_at, a.charge_sends as sends`,
    { ...ref },
  );
  if (!row) return null;
  const { totalMinor, title, ...terms } = row;
  return { ...terms, amount: fromMinor(totalMinor), description: title ?? terms.orderNo };
}

/** The charge that the gateway made for this attempt. */
export async function recordCharge(
  database: Database,
  ref: PaymentRef,
  charge: { chargeId: string; paymentUrl: string },
): Promise<PaymentState> {
  await database.raw(
    `update payment_attempt set charge_id = :chargeId, payment_url = :paymentUrl
     where order_id = :orderId and attempt = :attempt and charge_id is null`,
    { ...ref, ...charge },
  );
  return readPayment(database, ref.orderId);
}

/** What was agreed for the charge of an attempt; null where it has none. Amount in units. */
export async function chargedTerms(
  database: Database,
  ref: PaymentRef,
): Promise<{ chargeId: string; amount: number; currency: string; shopId: string } | null> {
  const row = await firstRow<{ chargeId: string; totalMinor: number; currency: string; shopId: string }>(
    database,
    `select a.charge_id, o.total_minor, a.currency, a.shop_id
     from payment_attempt a join customer_order o using (order_id)
     where a.order_id = :orderId and a.attempt = :attempt and a.charge_id is not null`,
    { ...ref },
  );
  if (!row) return null;
  const { totalMinor, ...terms } = row;
  return { ...terms, amount: fromMinor(totalMinor) };
}

/** Ends the hold once: only the transaction that changes it from `reserved` goes on. */
async function endHold(trx: Transaction, order: OrderRow, to: 'committed' | 'released'): Promise<boolean> {
  const ended = await firstRow(
    trx,
    `update payment_attempt set hold_status = :to
     where order_id = :orderId and attempt = :attempt and hold_status = 'reserved' returning 1`,
    { to, orderId: order.orderId, attempt: order.attempt },
  );
  if (!ended) return false;
  await changeHold(trx, to === 'committed' ? 'commit' : 'release', order);
  return true;
}

async function openFlags(trx: Transaction, orderId: string): Promise<boolean> {
  const found = await firstRow(trx, 'select 1 from order_flag where order_id = :orderId and resolved_at is null', {
    orderId,
  });
  return found !== null;
}

async function closeFlags(trx: Transaction, orderId: string): Promise<void> {
  await trx.raw(`update order_flag set resolved_at = now() where order_id = :orderId and resolved_at is null`, {
    orderId,
  });
}

/** Runs a transition of a pending order, under its lock; an order that moved on is left as it is. */
async function fromPending(
  database: Database,
  ref: PaymentRef,
  transition: (trx: Transaction, order: OrderRow) => Promise<void>,
): Promise<PaymentState> {
  return transact(database, async (trx) => {
    const order = await lockOrder(trx, ref.orderId);
    const pending = order?.orderStatus === orderStatus.PAYMENT_PENDING && order.attempt === ref.attempt;
    if (order && pending) await transition(trx, order);
    return readPayment(trx, ref.orderId);
  });
}

/** PAYMENT_PENDING → DONE 30/30/30: holds committed. A flagged order completes only where staff said so. */
export async function completePayment(
  database: Database,
  ref: PaymentRef,
  by: 'gateway' | 'staff',
): Promise<PaymentState> {
  return fromPending(database, ref, async (trx, order) => {
    if (by === 'gateway' && (await openFlags(trx, order.orderId))) return;
    if (!(await endHold(trx, order, 'committed'))) return;
    await closeFlags(trx, order.orderId);
    await setStatuses(trx, order, transitions.paid());
    await settleStoredEvents(trx, order, 'completed');
  });
}

/** Why a pending order ends without success. */
export type PaymentEnd = 'refused' | 'expired' | 'cancelled' | 'refund';

const endStatuses: Record<PaymentEnd, (points: boolean) => Statuses> = {
  refused: transitions.refusedByGateway,
  expired: transitions.expired,
  cancelled: transitions.cancelled,
  refund: transitions.refundedByStaff,
};

/**
 * PAYMENT_PENDING → FAILED, TIMEOUT or CANCELLED: holds released. The caller knows that the charge is cancelled, was never
 * made, or (`refund`) that its money goes back. A flagged order ends only where staff said so.
 */
export async function endPayment(database: Database, ref: PaymentRef, end: PaymentEnd): Promise<PaymentState> {
  return fromPending(database, ref, async (trx, order) => {
    if (end !== 'refund' && (await openFlags(trx, order.orderId))) return;
    if (!(await endHold(trx, order, 'released'))) return;
    await closeFlags(trx, order.orderId);
    await setStatuses(trx, order, endStatuses[end](hasPoints(order)));
    await settleStoredEvents(trx, order, end === 'refund' ? 'refund' : 'ended');
  });
}

/** PAYMENT_PENDING → CREATED: the gateway was never reached, holds released, the next pay is a new attempt. */
export async function undoPayment(database: Database, ref: PaymentRef): Promise<PaymentState> {
  return fromPending(database, ref, async (trx, order) => {
    if (!(await endHold(trx, order, 'released'))) return;
    await setStatuses(trx, order, transitions.created(), { nextAttempt: true });
  });
}
