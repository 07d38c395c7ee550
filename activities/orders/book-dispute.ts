import { bookDisputeReport } from '#db/orders/disputes/booking.ts';
import { findDisputeReport } from '#db/orders/disputes/reports.ts';
import { findDisputedCharge } from '#db/orders/disputes/find.ts';
import { CHARGE_DISPUTED } from '#domain/orders/event-types.ts';
import type { RefundEnd } from './refund-charge.ts';
import { endOf, type ReportDeps } from './report-waits.ts';

/** A dispute that the gateway reports, or its end. */
export async function bookDispute(deps: ReportDeps, eventId: string): Promise<RefundEnd> {
  const { database, gateway } = deps;
  const stored = await findDisputeReport(database, eventId);
  if (!stored) return 'unknown_refund';
  if (stored.status !== 'stored') return stored.status === 'unmatched' ? 'needs_staff' : 'booked';
  const { report } = stored;
  const chargeId =
    report.type === CHARGE_DISPUTED ? report.chargeId : await findDisputedCharge(database, report.disputeId);
  if (chargeId === null) return 'unknown_refund';
  const booking = await bookDisputeReport(database, { stored, charge: await gateway.findCharge(chargeId) });
  return await endOf(deps, stored, { booking, booked: 'booked', what: 'dispute' });
}
