import type { Database } from '#db/database.ts';
import type { Traces } from '#domain/tracing.ts';
import type { PaymentGateway } from '#clients/payment-gateway/client.ts';
import { createReportActivities } from './book-reported-refund.ts';
import { createChargeActivities } from './charge-payment.ts';
import { createLedgerActivities } from './check-ledger.ts';
import type { Drive } from './drive.ts';
import { createReconciliationActivities } from './reconcile-charges.ts';
import { createReservationActivities } from './reserve-payment.ts';
import { createRefundActivities } from './refund-charge.ts';
import { createSettlementActivities } from './settle-payment.ts';
import { createSweepActivities } from './sweep-orders.ts';

export interface OrdersActivityDeps extends Drive {
  database: Database;
  /** Payments of one payer at one tenant that hold something and are neither paid nor ended. */
  maxOpenHolds: number;
  gateway: PaymentGateway;
  /** The URL that the gateway calls back. */
  callbackUrl: string;
  /** Null unless they are switched on. */
  traces: Traces | null;
}

/** Every side effect of the order service. */
export function createOrdersActivities(deps: OrdersActivityDeps) {
  return {
    ...createReservationActivities(deps),
    ...createChargeActivities(deps),
    ...createSettlementActivities(deps),
    ...createRefundActivities(deps),
    ...createReportActivities(deps),
    ...createSweepActivities(deps),
    ...createReconciliationActivities(deps),
    ...createLedgerActivities(deps),
  };
}

export type OrdersActivities = ReturnType<typeof createOrdersActivities>;
