import { GatewayLags, type PaymentGateway } from '#clients/payment-gateway/client.ts';
import type { Database } from '#db/database.ts';
import { closeReport, type StoredReport } from '#db/orders/events/refund-reports.ts';
import { findPayment } from '#db/orders/payments.ts';
import type { Booking } from '#db/orders/refunds/reported.ts';
import type { Drive } from './drive.ts';
import type { RefundEnd } from './refund-charge.ts';

export interface ReportDeps extends Pick<Drive, 'resumePayment'> {
  database: Database;
  gateway: PaymentGateway;
}

type Waiting = Pick<StoredReport<unknown>, 'orderId' | 'receivedAt'>;

/** How long to wait for a charge to show what was reported of it. */
const PATIENCE_MS = 24 * 60 * 60 * 1000;
const LONGEST_PAUSE_MS = 5 * 60 * 1000;

const ageOf = ({ receivedAt }: Waiting): number => Date.now() - receivedAt.getTime();

const isOverdue = (stored: Waiting): boolean => ageOf(stored) > PATIENCE_MS;

/** Asked again, ever less often. */
function waitLonger(stored: Waiting, why: string): never {
  throw new GatewayLags(why, Math.min(LONGEST_PAUSE_MS, Math.max(1000, ageOf(stored))));
}

/** The money of a payment under way goes to its order first. */
async function settleFirst(
  { database, resumePayment }: Pick<ReportDeps, 'database' | 'resumePayment'>,
  stored: Waiting,
): Promise<never> {
  const state = stored.orderId === null ? null : await findPayment(database, stored.orderId);
  if (state) await resumePayment(state);
  return waitLonger(stored, 'the payment of the reported charge is under way');
}

/**
 * What becomes of a report once it was tried to be booked.
 * @param booked how it ends where it was
 * @throws GatewayLags while it is to be tried again
 */
export async function endOf(
  deps: ReportDeps,
  stored: Waiting & { report: { eventId: string } },
  { booking, booked, what }: { booking: Booking; booked: RefundEnd; what: 'refund' | 'dispute' },
): Promise<RefundEnd> {
  switch (booking) {
    case 'booked':
      return booked;
    case 'unmatched':
      return 'needs_staff';
    case 'open':
      return await settleFirst(deps, stored);
    case 'not_shown':
      if (!isOverdue(stored)) return waitLonger(stored, `the charge does not show the reported ${what}`);
      await closeReport(deps.database, stored.report, 'unmatched');
      return 'needs_staff';
  }
}
