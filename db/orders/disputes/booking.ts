import type { DisputeClosed, DisputeOpened, DisputeReport } from '#domain/orders/callback.ts';
import { refundedThere, type TheirCharge, wasPaid } from '#domain/orders/charge-comparison.ts';
import { CHARGE_DISPUTED } from '#domain/orders/event-types.ts';
import { type Minor, nearestMinor, toMinor } from '#domain/orders/money.ts';
import { type Database, firstRow, type Transaction } from '#db/database.ts';
import { bookDisputed } from '../books/cash.ts';
import { closeReport, type StoredReport } from '../events/refund-reports.ts';
import { recordMerchantEvent } from '../merchant-events/events.ts';
import { Dispute } from '../models/disputes.ts';
import { GatewayEvent } from '../models/events.ts';
import { PaymentAttempt } from '../models/payments.ts';
import type { OrderRow } from '../orders.ts';
import { lockOrder } from '../payments.ts';
import { refundableMinor, refundedOfCharge } from '../refunds/refunds.ts';
import type { Booking } from '../refunds/reported.ts';
import { bookTaken, unreturnedMinor } from '../refunds/taken.ts';
import { transact } from '../transaction.ts';
import { holdDisputed } from './held.ts';
import { findClosure, isSame, lockDispute, matchClosure } from './reports.ts';

/** What the gateway shows of the charge; null if it does not know it. */
type ReadCharge = TheirCharge | null;

/**
 * Whether the charge shows so much in disputes that are open or lost, beside what is booked as that. A gateway that shows none
 * of it at all is believed.
 */
async function isShown(
  transaction: Transaction,
  chargeId: string,
  { charge, addedMinor }: { charge: ReadCharge; addedMinor: Minor },
): Promise<boolean> {
  if (charge === null || !wasPaid(charge)) return false;
  if (charge.disputedAmount === null) return true;
  const booked = await firstRow<{ minor: number }>(
    transaction,
    `select coalesce(sum(booked_minor), 0)::bigint as minor from dispute where charge_id = :chargeId and status <> 'won'`,
    { chargeId },
  );
  return (booked?.minor ?? 0) + addedMinor <= nearestMinor(charge.disputedAmount);
}

/**
 * Its money is back with the payer, and goes before what is merely asked for: as far as nothing else went back, be that booked
 * or only shown.
 */
async function bookLost(transaction: Transaction, dispute: Dispute, charge: ReadCharge): Promise<void> {
  const { disputeId, orderId, tenantId, chargeId, currency, reason, bookedMinor } = dispute;
  const attempt = await PaymentAttempt.query(transaction).findOne({ orderId, chargeId, holdStatus: 'committed' });
  const receivedMinor = attempt?.receivedMinor ?? 0;
  const untold = (charge ? refundedThere(charge) : 0) - (await refundedOfCharge(transaction, chargeId));
  const unreturned = await unreturnedMinor(transaction, { orderId, receivedMinor });
  const left = unreturned - Math.max(0, untold);
  const amountMinor = Math.max(bookedMinor, Math.min(dispute.amountMinor, left));
  await Dispute.query(transaction)
    .findById(disputeId)
    .patch({ bookedMinor: amountMinor, needsStaff: amountMinor < dispute.amountMinor });
  await bookDisputed(transaction, dispute, { addedMinor: amountMinor - bookedMinor, cause: 'lost' });
  if (amountMinor === 0) return;
  const of = { tenantId, orderId, chargeId, gatewayRefundId: null, reason };
  await bookTaken(transaction, { origin: 'dispute', ...of, amountMinor, currency }, unreturned);
}

/** Ends an open dispute as the gateway says. */
async function end(
  transaction: Transaction,
  dispute: Dispute,
  { stored, charge }: { stored: Pick<StoredReport<DisputeClosed>, 'report' | 'receivedAt'>; charge: ReadCharge },
): Promise<void> {
  const { disputeId, orderId, bookedMinor } = dispute;
  const { outcome, closedAt } = stored.report;
  const isWon = outcome === 'won';
  await Dispute.query(transaction)
    .findById(disputeId)
    .patch({
      status: outcome,
      closedAt: closedAt ? new Date(closedAt) : stored.receivedAt,
      ...(isWon ? { needsStaff: false, bookedMinor: 0 } : {}),
    });
  if (!isWon) return bookLost(transaction, dispute, charge);
  await bookDisputed(transaction, dispute, { addedMinor: -bookedMinor, cause: 'won' });
  await holdDisputed(transaction, orderId, `won:${disputeId}`);
}

async function hasFlag(transaction: Transaction, orderId: string): Promise<boolean> {
  const found = await firstRow(
    transaction,
    `select 1 from order_flag where order_id = :orderId and resolved_at is null
     union all select 1 from dispute where order_id = :orderId and status = 'open' limit 1`,
    { orderId },
  );
  return found !== null;
}

interface Opening {
  stored: StoredReport<DisputeOpened>;
  charge: TheirCharge;
  currency: string;
  closure: StoredReport<DisputeClosed> | null;
}

/** Stores the dispute, holds what its charge has left, and ends it if its end was told before. */
async function begin(
  transaction: Transaction,
  order: OrderRow,
  { stored, charge, currency, closure }: Opening,
): Promise<void> {
  const { orderId, tenantId } = order;
  const { disputeId, chargeId, amount, reason, dueAt, openedAt } = stored.report;
  if (!closure && !(await hasFlag(transaction, orderId)))
    await recordMerchantEvent(transaction, orderId, 'order.flagged');
  await Dispute.query(transaction).insert({
    disputeId,
    tenantId,
    orderId,
    chargeId,
    amountMinor: toMinor(amount),
    currency,
    reason,
    dueAt: new Date(dueAt),
    needsStaff: true,
    openedAt: openedAt ? new Date(openedAt) : stored.receivedAt,
  });
  await holdDisputed(transaction, orderId, `opened:${disputeId}`);
  if (!closure) return;
  const dispute = await Dispute.query(transaction).findById(disputeId).throwIfNotFound();
  await end(transaction, dispute, { stored: closure, charge });
}

async function bookOpened(
  transaction: Transaction,
  order: OrderRow,
  { stored, charge }: { stored: StoredReport<DisputeOpened>; charge: ReadCharge },
): Promise<Booking> {
  const { orderId } = order;
  const { disputeId, chargeId, amount } = stored.report;
  const before = await Dispute.query(transaction).findById(disputeId);
  if (before) return isSame(before, stored.report) ? 'booked' : 'unmatched';
  const attempt = await PaymentAttempt.query(transaction).findOne({ orderId, chargeId });
  if (attempt?.holdStatus === 'reserved') return 'open';
  const kept = await findClosure(transaction, disputeId);
  const closure = kept && (await matchClosure(transaction, kept, chargeId)) ? kept : null;
  const leftMinor = attempt?.holdStatus === 'committed' ? await refundableMinor(transaction, orderId) : 0;
  // The charge does not show any more what was won.
  const addedMinor = closure?.report.outcome === 'won' ? 0 : Math.min(toMinor(amount), leftMinor);
  if (charge === null || !(await isShown(transaction, chargeId, { charge, addedMinor }))) return 'not_shown';
  await begin(transaction, order, { stored, charge, currency: attempt?.receivedCurrency ?? charge.currency, closure });
  return 'booked';
}

async function bookClosed(
  transaction: Transaction,
  { stored, charge }: { stored: StoredReport<DisputeClosed>; charge: ReadCharge },
): Promise<Booking> {
  const dispute = await Dispute.query(transaction).findById(stored.report.disputeId).throwIfNotFound();
  const { outcome } = stored.report;
  if (dispute.status !== 'open') return dispute.status === outcome ? 'booked' : 'unmatched';
  // What was won is shown no more; of what was lost nothing is added to what was shown when it was opened.
  if (outcome === 'lost' && !(await isShown(transaction, dispute.chargeId, { charge, addedMinor: 0 })))
    return 'not_shown';
  await end(transaction, dispute, { stored, charge });
  return 'booked';
}

const isOpening = (stored: StoredReport<DisputeReport>): stored is StoredReport<DisputeOpened> =>
  stored.report.type === CHARGE_DISPUTED;
const isEnd = (stored: StoredReport<DisputeReport>): stored is StoredReport<DisputeClosed> => !isOpening(stored);

async function book(
  transaction: Transaction,
  order: OrderRow,
  { stored, charge }: { stored: StoredReport<DisputeReport>; charge: ReadCharge },
): Promise<Booking> {
  if (isOpening(stored)) return bookOpened(transaction, order, { stored, charge });
  return isEnd(stored) ? bookClosed(transaction, { stored, charge }) : 'unmatched';
}

/** Books a dispute that the gateway reports, or its end, once, as far as the charge shows it. */
export async function bookDisputeReport(
  database: Database,
  { stored, charge }: { stored: StoredReport<DisputeReport>; charge: ReadCharge },
): Promise<Booking> {
  const { report, orderId } = stored;
  return transact(database, async (transaction): Promise<Booking> => {
    await lockDispute(transaction, report.disputeId);
    const order = orderId === null ? null : await lockOrder(transaction, orderId);
    const event = await GatewayEvent.query(transaction).findById(report.eventId).throwIfNotFound();
    if (event.status !== 'stored' || order === null) return 'booked';
    const booking = await book(transaction, order, { stored, charge });
    if (booking === 'booked') await closeReport(transaction, report, 'settled');
    if (booking === 'unmatched') await closeReport(transaction, report, 'unmatched');
    return booking;
  });
}
