import type { Launcher } from '../launch.ts';
import type { ServeOrders } from '../order-api.ts';
import type { Payments } from '../payments/pay.ts';
import { approvalRoutes } from './administration/approvals.ts';
import { auditRoutes } from './administration/audit.ts';
import type { StartRefund } from '../start-refund.ts';
import { callbackStaffRoutes } from './administration/callbacks.ts';
import { catalogueRoutes } from './administration/catalogue.ts';
import { disputeRoutes } from './administration/disputes.ts';
import { deskRoutes } from './administration/desk.ts';
import { invoiceRoutes } from './administration/invoices.ts';
import { staffOrderRoutes } from './administration/orders.ts';
import { pointsRoutes } from './administration/points.ts';
import { reconciliationRoutes } from './administration/reconciliation.ts';
import { refundRoutes } from './administration/refunds.ts';
import { merchantEventRoutes, type WebhookRouteDeps } from './administration/webhook.ts';

export interface AdministrationDeps extends WebhookRouteDeps {
  payments: Payments;
  /** Files with orders that a person may ask for. */
  exportsPerMinute: number;
  launcher: Pick<Launcher, 'startReconciliation' | 'startMissingDays'>;
  startRefund: StartRefund;
  restartRefund: StartRefund;
}

/** Operations for staff. */
export function administrationRoutes(serve: ServeOrders, deps: AdministrationDeps): void {
  catalogueRoutes(serve, deps);
  pointsRoutes(serve, deps);
  callbackStaffRoutes(serve, deps);
  staffOrderRoutes(serve, deps);
  deskRoutes(serve, deps);
  invoiceRoutes(serve, deps);
  approvalRoutes(serve, deps);
  auditRoutes(serve, deps);
  refundRoutes(serve, deps);
  disputeRoutes(serve, deps);
  merchantEventRoutes(serve, deps);
  reconciliationRoutes(serve, deps);
}
