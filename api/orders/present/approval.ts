import type { Approval } from '#db/orders/models/approvals.ts';
import type { ApprovalData } from '#domain/orders/administration/approvals.ts';
import { fromMinor } from '#domain/orders/money.ts';

/** What waits for another member of staff, or did. */
export function presentApproval(approval: Approval): ApprovalData {
  return {
    approvalId: approval.approvalId,
    tenantId: approval.tenantId,
    kind: approval.kind,
    orderId: approval.orderId,
    eventId: approval.eventId,
    amount: fromMinor(approval.amountMinor),
    currency: approval.currency,
    reason: approval.reason,
    restorePoints: approval.restorePoints,
    restock: approval.restock,
    lines: approval.request?.lines ?? null,
    status: approval.status,
    requestedBy: approval.requestedBy,
    requestedByName: approval.requestedByName,
    requestedAt: approval.requestedAt.toISOString(),
    decidedBy: approval.decidedBy,
    decidedByName: approval.decidedByName,
    decidedAt: approval.decidedAt?.toISOString() ?? null,
    decisionReason: approval.decisionReason,
  };
}
