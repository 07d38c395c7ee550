import type { Database } from '../../db/database.ts';
import { type HoldLimits, openPayment } from '../../db/orders/opening/open.ts';
import { readPayment } from '../../db/orders/payments.ts';
import * as reservations from '../../db/orders/reservations.ts';
import { CommitUnknown } from '../../db/orders/transaction.ts';
import type { OrderErrorCode } from '../../domain/orders/codes.ts';
import type { PaymentRef, PaymentState, RejectionReason } from '../../domain/orders/payment.ts';

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

/** Holding points, stock and coupons. */
export function createReservationActivities({ database, maxOpenHolds }: { database: Database } & HoldLimits) {
  return {
    async openPayment(input: OpenPaymentInput): Promise<OpenPaymentResult> {
      try {
        const opening = {
          orderId: input.orderId,
          attempt: input.attempt,
          expiresAt: new Date(input.expiresAt),
          resultUrl: input.resultURL,
          cancelUrl: input.cancelURL,
        };
        const { state, error } = await openPayment(database, opening, { maxOpenHolds });
        return error ? { kind: 'refused', ...error, state } : { kind: 'opened', state };
      } catch (error) {
        if (error instanceof CommitUnknown) return { kind: 'unknown' };
        throw error;
      }
    },

    markReservationUnknown: (ref: PaymentRef): Promise<void> => reservations.markReservationUnknown(database, ref),

    resolveReservation: (ref: PaymentRef): Promise<PaymentState> => reservations.resolveReservation(database, ref),

    /** The current rows, which a woken workflow reads. */
    readPayment: ({ orderId }: PaymentRef): Promise<PaymentState> => readPayment(database, orderId),
  };
}
