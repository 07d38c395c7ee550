import { GatewayLags, type PaymentGateway } from '#clients/payment-gateway/client.ts';
import type { Database } from '#db/database.ts';
import type { StoredReport } from '#db/orders/events/refund-reports.ts';
import { findPayment } from '#db/orders/payments.ts';
import type { Drive } from './drive.ts';

export interface ReportDeps extends Pick<Drive, 'resumePayment'> {
  database: Database;
  gateway: PaymentGateway;
}

type Waiting = Pick<StoredReport<unknown>, 'orderId' | 'receivedAt'>;

/** How long to wait for a charge to show what was reported of it. */
const PATIENCE_MS = 24 * 60 * 60 * 1000;
const LONGEST_PAUSE_MS = 5 * 60 * 1000;

const ageOf = ({ receivedAt }: Waiting): number => Date.now() - receivedAt.getTime();

export const isOverdue = (stored: Waiting): boolean => ageOf(stored) > PATIENCE_MS;

/** Asked again, ever less often. */
export function waitLonger(stored: Waiting, why: string): never {
  throw new GatewayLags(why, Math.min(LONGEST_PAUSE_MS, Math.max(1000, ageOf(stored))));
}

/** The money of a payment under way goes to its order first. */
export async function settleFirst(
  { database, resumePayment }: Pick<ReportDeps, 'database' | 'resumePayment'>,
  stored: Waiting,
): Promise<never> {
  const state = stored.orderId === null ? null : await findPayment(database, stored.orderId);
  if (state) await resumePayment(state);
  return waitLonger(stored, 'the payment of the reported charge is under way');
}
