import type { Database } from '#db/database.ts';
import { completeAtOnce } from '#db/orders/opening/open.ts';
import { type PaymentResult, type PaymentState, rejected, resultFromRow } from '#domain/orders/payment.ts';
import { orderStatus } from '#domain/orders/states.ts';
import type { PayOrderInput } from '#workflows/contracts/orders/pay-order.ts';

/** What the payer asks for beside the payment itself. */
export type PaymentTerms = Pick<PayOrderInput, 'ttlMs' | 'resultURL' | 'cancelURL'>;

/** Nothing is payable: no charge can get lost, no hold can expire, so there is nothing for a workflow to wait for. */
export const needsNoWorkflow = ({ orderStatus: status, totalMinor }: PaymentState): boolean =>
  totalMinor === 0 && status === orderStatus.CREATED;

/**
 * Pays an order of points, coupons or free goods alone, in one statement.
 * @returns undefined if the order is being paid otherwise.
 * @throws CommitUnknown, or what the database reports: the order is either done or as it was, and a repeat finds out.
 */
export async function payAtOnce(
  database: Database,
  { orderId, attempt }: PaymentState,
  { ttlMs, resultURL, cancelURL }: PaymentTerms,
): Promise<PaymentResult | undefined> {
  const expiresAt = new Date(Date.now() + ttlMs);
  const opening = { orderId, attempt, sends: 0 as const, expiresAt, resultUrl: resultURL, cancelUrl: cancelURL };
  const { state, error } = await completeAtOnce(database, opening);
  return error ? rejected(error.code, state, error.reason) : (resultFromRow(state) ?? undefined);
}
