import type { Database } from '#db/database.ts';
import type { ChargeTerms } from '#db/orders/charges/sends.ts';
import { type HoldLimits, openPayment } from '#db/orders/opening/open.ts';
import { readPayment } from '#db/orders/payments.ts';
import * as reservations from '#db/orders/reservations.ts';
import { CommitUnknown } from '#db/orders/transaction.ts';
import type { OrderErrorCode } from '#domain/orders/codes.ts';
import type { PaymentRef, PaymentState, RejectionReason } from '#domain/orders/payment.ts';

export interface OpenPaymentInput extends PaymentRef {
  /** ISO 8601, by the workflow's clock. */
  expiresAt: string;
  resultURL: string | null;
  cancelURL: string | null;
}

export type OpenPaymentResult =
  | { kind: 'opened'; state: PaymentState }
  | { kind: 'refused'; code: OrderErrorCode; reason?: RejectionReason; state: PaymentState }
  /** The outcome of the commit is unknown; resolveReservation finds it out. */
  | { kind: 'unknown' };

interface ReservationDeps extends HoldLimits {
  database: Database;
}

/**
 * Holds what the order needs, or finds what was held.
 * @param sends 1 if the caller sends the charge at once, if there are terms for it.
 * @returns also the terms of the charge if the payment was opened just now.
 */
export async function reserve(
  { database, maxOpenHolds }: ReservationDeps,
  input: OpenPaymentInput,
  sends: 0 | 1,
): Promise<{ opened: OpenPaymentResult; terms: ChargeTerms | null }> {
  try {
    const opening = {
      orderId: input.orderId,
      attempt: input.attempt,
      sends,
      expiresAt: new Date(input.expiresAt),
      resultUrl: input.resultURL,
      cancelUrl: input.cancelURL,
    };
    const { state, error, terms } = await openPayment(database, opening, { maxOpenHolds });
    return { opened: error ? { kind: 'refused', ...error, state } : { kind: 'opened', state }, terms };
  } catch (error) {
    if (error instanceof CommitUnknown) return { opened: { kind: 'unknown' }, terms: null };
    throw error;
  }
}

/** Holding points, stock and coupons. */
export function createReservationActivities(deps: ReservationDeps) {
  const { database } = deps;
  return {
    openPayment: async (input: OpenPaymentInput): Promise<OpenPaymentResult> => (await reserve(deps, input, 0)).opened,

    markReservationUnknown: (ref: PaymentRef): Promise<void> => reservations.markReservationUnknown(database, ref),

    resolveReservation: (ref: PaymentRef): Promise<PaymentState> => reservations.resolveReservation(database, ref),

    /** The current rows, which a woken workflow reads. */
    readPayment: ({ orderId }: PaymentRef): Promise<PaymentState> => readPayment(database, orderId),
  };
}
