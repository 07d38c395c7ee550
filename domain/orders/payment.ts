import type { OrderCode, OrderErrorCode } from './codes.ts';
import { orderStatus, type Statuses } from './states.ts';

/** One attempt to pay an order; `attempt` is incremented whenever the order returns to CREATED. */
export interface PaymentRef {
  orderId: string;
  attempt: number;
}

/** The rows' state of an order and its current attempt. */
export interface PaymentState extends Statuses {
  orderId: string;
  orderNo: string;
  tenantId: string;
  attempt: number;
  /** What is payable, in minor units of the order's currency. */
  totalMinor: number;
  chargeId: string | null;
  paymentUrl: string | null;
  /** ISO 8601; null before the first hold. */
  expiresAt: string | null;
  /** A flag that staff have not decided on: until then there is neither commit nor expiry. */
  flagged: boolean;
  /** The staff's decision that has not been carried out yet. */
  resolution: 'complete' | 'refund' | null;
  cancelRequested: boolean;
  /** A callback is recorded by which the order has not been settled yet. */
  paidEvent: boolean;
  /** When the charge was last read from the gateway, in ISO 8601; null if never. */
  readAt: string | null;
  /** Ids of refunds that the gateway has not confirmed. */
  pendingRefunds: string[];
}

/** Why a payment was rejected, where its code alone does not say it. */
export type RejectionReason = 'open_holds';

/** The result of a pay, cancel or resolve: a code, and the statuses if the contract includes them. */
export interface PaymentResult {
  code: OrderCode;
  state: PaymentState | null;
  reason?: RejectionReason;
}

export const rejected = (
  code: OrderErrorCode,
  state: PaymentState | null,
  reason?: RejectionReason,
): PaymentResult => ({ code, state, ...(reason === undefined ? {} : { reason }) });

/** The result that follows from the order's row alone; null if a pay has work to do. S1: pay again. */
export function resultFromRow(state: PaymentState): PaymentResult | null {
  switch (state.orderStatus) {
    case orderStatus.DONE:
      return { code: 1000, state };
    case orderStatus.PAYMENT_PENDING:
      return state.paymentUrl === null ? null : { code: 1000, state };
    case orderStatus.POINTS_UNKNOWN:
      return rejected(90301, state);
    case orderStatus.CREATED:
      return null;
    default:
      return rejected(90202, state);
  }
}
