import type { NotedDispute } from '#db/orders/disputes/find.ts';
import type { DisputeData } from '#domain/orders/administration/disputes.ts';
import { fromMinor } from '#domain/orders/money.ts';

/** A dispute as staff see it. */
export function presentDispute(dispute: NotedDispute): DisputeData {
  return {
    disputeId: dispute.disputeId,
    orderId: dispute.orderId,
    orderNo: dispute.orderNo,
    tenantId: dispute.tenantId,
    chargeId: dispute.chargeId,
    amount: fromMinor(dispute.amountMinor),
    currency: dispute.currency,
    reason: dispute.reason,
    dueAt: dispute.dueAt.toISOString(),
    status: dispute.status,
    openedAt: dispute.openedAt.toISOString(),
    closedAt: dispute.closedAt?.toISOString() ?? null,
    needsStaff: dispute.needsStaff,
    notes: dispute.notes.map(({ author, authorName, body, createdAt }) => ({
      author,
      authorName,
      text: body,
      at: createdAt.toISOString(),
    })),
  };
}
