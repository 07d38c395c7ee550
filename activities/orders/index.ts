import type { Database } from '../../db/database.ts';
import type { PaymentGateway } from '../../clients/payment-gateway/client.ts';
import { createChargeActivities } from './charge-payment.ts';
import { createLedgerActivities } from './check-ledger.ts';
import { createReconciliationActivities } from './reconcile-charges.ts';
import { createReservationActivities } from './reserve-payment.ts';
import { createRefundActivities } from './refund-charge.ts';
import { createSettlementActivities } from './settle-payment.ts';
import { createSweepActivities } from './sweep-orders.ts';

export interface OrdersActivityDeps {
  database: Database;
  /** Payments of one payer at one tenant that hold something and are neither paid nor ended. */
  maxOpenHolds: number;
  gateway: PaymentGateway;
  /** The URL that the gateway calls back. */
  callbackUrl: string;
  /**
   * Starts payOrder from the order's rows, or wakes it if it is waiting. Returns whether there was anything to do.
   */
  resumePayment: (order: { orderId: string; tenantId: string; attempt: number }) => Promise<boolean>;
  /** False if the refund is already running. */
  startRefund: (refund: { refundId: string; orderId: string | null; tenantId: string }) => Promise<boolean>;
}

/** Every side effect of the order service. */
export function createOrdersActivities(deps: OrdersActivityDeps) {
  return {
    ...createReservationActivities(deps),
    ...createChargeActivities(deps),
    ...createSettlementActivities(deps),
    ...createRefundActivities(deps),
    ...createSweepActivities(deps),
    ...createReconciliationActivities(deps),
    ...createLedgerActivities(deps),
  };
}

export type OrdersActivities = ReturnType<typeof createOrdersActivities>;
