import type { RefundReport } from '#domain/orders/callback.ts';
import { CHARGE_PAID } from '#domain/orders/event-types.ts';
import { refundedThere, type TheirCharge } from '#domain/orders/charge-comparison.ts';
import { ownRefundIds } from '#domain/orders/refund-keys.ts';
import { type Minor, toMinor } from '#domain/orders/money.ts';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { lapseDecided } from '../approvals/approvals.ts';
import { closeReport, lockRefundReport, type StoredReport } from '../events/refund-reports.ts';
import { PaymentAttempt } from '../models/payments.ts';
import { Refund } from '../models/refunds.ts';
import type { OrderRow } from '../orders.ts';
import { transact } from '../transaction.ts';
import { confirmOn, noteGatewayRefundId, recordAmountOn, refundedOfCharge, restoreCut } from './refunds.ts';
import { recordReturned } from './returned.ts';
import { bookTaken, unreturnedMinor } from './taken.ts';

/** `open`: the payment of its order is still under way. `not_shown`: the charge does not show it yet. */
export type Booking = 'booked' | 'open' | 'not_shown' | 'unmatched';

/** The gateway's own record of the charge. */
type ReadCharge = TheirCharge & { shopId: string };

interface Reported {
  report: RefundReport;
  charge: ReadCharge;
}

/** Our refund that the report is an echo of; null if it was made at the desk. */
async function ownRefund(transaction: Transaction, { chargeId, refundId, idempotencyKey }: RefundReport) {
  const ids = ownRefundIds(idempotencyKey ?? null);
  const found = await Refund.query(transaction)
    .where({ chargeId })
    .where((refund) => refund.where({ gatewayRefundId: refundId }).orWhereIn('refundId', ids))
    .first();
  return found ?? null;
}

/** What is booked together never exceeds what the charge shows. */
async function isShown(transaction: Transaction, { report, charge }: Reported, amountMinor: Minor): Promise<boolean> {
  return (await refundedOfCharge(transaction, report.chargeId)) + amountMinor <= refundedThere(charge);
}

/** Confirms a refund of ours whose answer was lost; one that is confirmed already gets nothing beside it. */
async function bookOwn(transaction: Transaction, own: Refund, reported: Reported): Promise<Booking> {
  const { report, charge } = reported;
  if (own.status !== 'confirmed') {
    if (!(await isShown(transaction, reported, toMinor(report.amount)))) return 'not_shown';
    await restoreCut(transaction, own.refundId, toMinor(report.amount));
    await recordAmountOn(transaction, own.refundId, charge);
    await confirmOn(transaction, own.refundId, { from: ['pending', 'needs_staff'] });
  }
  await noteGatewayRefundId(transaction, own, report.refundId);
  return 'booked';
}

/**
 * Money of a completed order, which went back at the gateway's desk.
 * @returns `unmatched` where more is reported than was left to give back: the rest is for staff to look at.
 */
async function bookAccepted(
  transaction: Transaction,
  { order, attempt }: { order: OrderRow; attempt: PaymentAttempt },
  reported: Reported,
): Promise<Booking> {
  const { orderId, tenantId } = order;
  const { chargeId, amount, refundId: gatewayRefundId } = reported.report;
  if (!(await isShown(transaction, reported, toMinor(amount)))) return 'not_shown';
  const receivedMinor = attempt.receivedMinor ?? order.totalMinor;
  const unreturned = await unreturnedMinor(transaction, { orderId, receivedMinor });
  // What is above was lost in disputes before, or given back elsewhere.
  const amountMinor = Math.min(toMinor(amount), unreturned);
  if (amountMinor <= 0) return 'unmatched';
  const currency = attempt.receivedCurrency ?? order.currency;
  const of = { tenantId, orderId, chargeId, gatewayRefundId };
  await bookTaken(transaction, { origin: 'gateway', ...of, reason: null, amountMinor, currency }, unreturned);
  return amountMinor === toMinor(amount) ? 'booked' : 'unmatched';
}

/** Staff have nothing left to decide about the money. */
async function closePaidReports(transaction: Transaction, chargeId: string): Promise<void> {
  const closed = await rows<{ eventId: string }>(
    transaction,
    `update gateway_event set status = 'refunded'
     where charge_id = :chargeId and type = '${CHARGE_PAID}' and status in ('unmatched', 'ignored') and resolution is null
     returning event_id`,
    { chargeId },
  );
  for (const { eventId } of closed) await lapseDecided(transaction, { kind: 'callback_refund', eventId });
}

/** Money that no order accepts counts as refunded once all of it is back. */
async function bookReturned(transaction: Transaction, order: OrderRow | null, reported: Reported): Promise<Booking> {
  const { report, charge } = reported;
  const { chargeId, refundId: gatewayRefundId } = report;
  if (charge.status !== 'refunded') return 'not_shown';
  const owner =
    order ??
    (await firstRow<{ tenantId: string }>(transaction, 'select tenant_id from tenant where shop_id = :shopId', {
      shopId: charge.shopId,
    }));
  if (!owner) return 'unmatched';
  const { amount, currency } = charge;
  const returned = { chargeId, amount, currency, gatewayRefundId };
  await recordReturned(transaction, { tenantId: owner.tenantId, orderId: order?.orderId ?? null }, returned);
  if (order === null) await closePaidReports(transaction, chargeId);
  return 'booked';
}

async function book(transaction: Transaction, order: OrderRow | null, reported: Reported): Promise<Booking> {
  const own = await ownRefund(transaction, reported.report);
  if (own) return bookOwn(transaction, own, reported);
  const { chargeId } = reported.report;
  const attempt = order && (await PaymentAttempt.query(transaction).findOne({ orderId: order.orderId, chargeId }));
  if (attempt?.holdStatus === 'reserved') return 'open';
  if (order && attempt?.holdStatus === 'committed') return bookAccepted(transaction, { order, attempt }, reported);
  return bookReturned(transaction, order, reported);
}

/** Books a refund that the gateway reports, once, as far as the charge shows it. */
export async function bookReportedRefund(
  database: Database,
  stored: StoredReport,
  charge: ReadCharge,
): Promise<Booking> {
  const { report } = stored;
  return transact(database, async (transaction) => {
    const { order, isOpen } = await lockRefundReport(transaction, stored);
    if (!isOpen) return 'booked';
    const booking = await book(transaction, order, { report, charge });
    if (booking === 'booked') await closeReport(transaction, report, 'settled');
    if (booking === 'unmatched') await closeReport(transaction, report, 'unmatched');
    return booking;
  });
}
