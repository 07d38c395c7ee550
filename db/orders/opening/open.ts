import type { PaymentState } from '#domain/orders/payment.ts';
import type { Database } from '#db/database.ts';
import type { ChargeTerms } from '../charges/sends.ts';
import { queueOpenHolds } from '../holds.ts';
import { readPayment } from '../payments.ts';
import { transact } from '../transaction.ts';
import { openIfPossible, type PaymentOpening, type Refusal } from './statement.ts';

export interface OpenedPayment {
  state: PaymentState;
  error: Refusal | null;
  /** The request to the gateway; null unless the payment was just opened. */
  terms: ChargeTerms | null;
}

/** What the service allows. */
export interface HoldLimits {
  /** Payments of one payer at one tenant that hold something and are neither paid nor ended. */
  maxOpenHolds: number;
}

/** An order in another state, or at another attempt, as it is. */
async function unchanged(database: Database, orderId: string): Promise<OpenedPayment> {
  return { state: await readPayment(database, orderId), error: null, terms: null };
}

/**
 * CREATED → PAYMENT_PENDING with points, stock and coupons held, or → DONE if nothing is payable. An order in another
 * state, or at another attempt, is left unchanged. An error holds nothing and increments the attempt, so that the
 * next pay is evaluated afresh.
 * @throws CommitUnknown, OrderGone
 */
export const openPayment = (
  database: Database,
  opening: PaymentOpening,
  { maxOpenHolds }: HoldLimits,
): Promise<OpenedPayment> =>
  transact(database, async (transaction) => {
    await queueOpenHolds(transaction, opening.orderId);
    return (
      (await openIfPossible(transaction, opening, maxOpenHolds)) ?? (await unchanged(transaction, opening.orderId))
    );
  });

/**
 * The same where nothing is payable, CREATED → DONE, in one statement that commits itself. Nothing stays held, so the limit
 * on what does is not asked for.
 * @throws OrderGone; or what the database reports, after which the order may be done
 */
export async function completeAtOnce(database: Database, opening: PaymentOpening): Promise<OpenedPayment> {
  const noneHeld = 0;
  return (await openIfPossible(database, opening, noneHeld)) ?? (await unchanged(database, opening.orderId));
}
