import { GatewayLags, type PaymentGateway } from '#clients/payment-gateway/client.ts';
import type { Database } from '#db/database.ts';
import { closeRefundReport, findRefundReport, type StoredReport } from '#db/orders/events/refund-reports.ts';
import { bookReportedRefund } from '#db/orders/refunds/reported.ts';
import { wasPaid } from '#domain/orders/charge-comparison.ts';
import { findPayment } from '#db/orders/payments.ts';
import type { Drive } from './drive.ts';
import { asRetry } from './gateway-retry.ts';
import type { RefundEnd } from './refund-charge.ts';

interface ReportDeps extends Pick<Drive, 'resumePayment'> {
  database: Database;
  gateway: PaymentGateway;
}

/** How long to wait for a charge to show what was reported of it. */
const PATIENCE_MS = 24 * 60 * 60 * 1000;
const LONGEST_PAUSE_MS = 5 * 60 * 1000;

/** Asked again, ever less often. */
function waitLonger({ receivedAt }: StoredReport, why: string): never {
  const age = Date.now() - receivedAt.getTime();
  throw new GatewayLags(why, Math.min(LONGEST_PAUSE_MS, Math.max(1000, age)));
}

/** The money of a payment under way goes to its order first. */
async function settleFirst({ database, resumePayment }: ReportDeps, stored: StoredReport): Promise<never> {
  const state = stored.orderId === null ? null : await findPayment(database, stored.orderId);
  if (state) await resumePayment(state);
  return waitLonger(stored, 'the payment of the refunded charge is under way');
}

async function bookReport(deps: ReportDeps, eventId: string): Promise<RefundEnd> {
  const { database, gateway } = deps;
  const stored = await findRefundReport(database, eventId);
  if (!stored) return 'unknown_refund';
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
      if (Date.now() - stored.receivedAt.getTime() <= PATIENCE_MS)
        return waitLonger(stored, 'the charge does not show the reported refund');
      await closeRefundReport(database, stored.report, 'unmatched');
      return 'needs_staff';
  }
}

/** Refunds that the gateway reports: booked once its charge shows them. */
export function createReportActivities(deps: ReportDeps) {
  return {
    bookReportedRefund: ({ eventId }: { eventId: string }): Promise<RefundEnd> =>
      bookReport(deps, eventId).catch(asRetry),
  };
}
