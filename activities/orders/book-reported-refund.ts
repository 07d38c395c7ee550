import { closeReport, findRefundReport } from '#db/orders/events/refund-reports.ts';
import { bookReportedRefund } from '#db/orders/refunds/reported.ts';
import { wasPaid } from '#domain/orders/charge-comparison.ts';
import { bookDispute } from './book-dispute.ts';
import { asRetry } from './gateway-retry.ts';
import type { RefundEnd } from './refund-charge.ts';
import { isOverdue, type ReportDeps, settleFirst, waitLonger } from './report-waits.ts';

async function bookReport(deps: ReportDeps, eventId: string): Promise<RefundEnd> {
  const { database, gateway } = deps;
  const stored = await findRefundReport(database, eventId);
  if (!stored) return bookDispute(deps, eventId);
  if (stored.status !== 'stored') return stored.status === 'unmatched' ? 'needs_staff' : 'confirmed';
  const charge = await gateway.findCharge(stored.report.chargeId);
  const booking = charge && wasPaid(charge) ? await bookReportedRefund(database, stored, charge) : 'not_shown';
  switch (booking) {
    case 'booked':
      return 'confirmed';
    case 'unmatched':
      return 'needs_staff';
    case 'open':
      return settleFirst(deps, stored);
    case 'not_shown':
      if (!isOverdue(stored)) return waitLonger(stored, 'the charge does not show the reported refund');
      await closeReport(database, stored.report, 'unmatched');
      return 'needs_staff';
  }
}

/** Refunds and disputes that the gateway reports: booked once its charge shows them. */
export function createReportActivities(deps: ReportDeps) {
  return {
    bookReportedRefund: ({ eventId }: { eventId: string }): Promise<RefundEnd> =>
      bookReport(deps, eventId).catch(asRetry),
  };
}
