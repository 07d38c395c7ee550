import { findRefundReport } from '#db/orders/events/refund-reports.ts';
import { bookReportedRefund } from '#db/orders/refunds/reported.ts';
import { wasPaid } from '#domain/orders/charge-comparison.ts';
import { bookDispute } from './book-dispute.ts';
import { asRetry } from './gateway-retry.ts';
import type { RefundEnd } from './refund-charge.ts';
import { endOf, type ReportDeps } from './report-waits.ts';

async function bookReport(deps: ReportDeps, eventId: string): Promise<RefundEnd> {
  const { database, gateway } = deps;
  const stored = await findRefundReport(database, eventId);
  if (!stored) return bookDispute(deps, eventId);
  if (stored.status !== 'stored') return stored.status === 'unmatched' ? 'needs_staff' : 'confirmed';
  const charge = await gateway.findCharge(stored.report.chargeId);
  const booking = charge && wasPaid(charge) ? await bookReportedRefund(database, stored, charge) : 'not_shown';
  return await endOf(deps, stored, { booking, booked: 'confirmed', what: 'refund' });
}

/** Refunds and disputes that the gateway reports: booked once its charge shows them. */
export function createReportActivities(deps: ReportDeps) {
  return {
    bookReportedRefund: ({ eventId }: { eventId: string }): Promise<RefundEnd> =>
      bookReport(deps, eventId).catch(asRetry),
  };
}
