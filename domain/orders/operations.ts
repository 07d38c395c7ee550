import { approvalOperations } from './operations/approvals.ts';
import { auditOperations } from './operations/audit.ts';
import { callbackOperations } from './operations/callbacks.ts';
import { catalogueOperations } from './operations/catalogue.ts';
import { disputeOperations } from './operations/disputes.ts';
import { merchantEventOperations } from './operations/merchant-events.ts';
import { payerOperations } from './operations/payer.ts';
import { pointsOperations } from './operations/points.ts';
import { reconciliationOperations } from './operations/reconciliation.ts';
import { staffOrderOperations } from './operations/staff-orders.ts';

/** Every operation of the order service but the payment gateway's callback. */
export const orderOperations = {
  ...payerOperations,
  ...catalogueOperations,
  ...pointsOperations,
  ...callbackOperations,
  ...staffOrderOperations,
  ...approvalOperations,
  ...disputeOperations,
  ...auditOperations,
  ...merchantEventOperations,
  ...reconciliationOperations,
};
