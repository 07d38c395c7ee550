import type { Refund } from '#db/orders/models/refunds.ts';
import { fromMinor } from '#domain/orders/money.ts';
import type { RefundData } from '#domain/orders/administration/refunds.ts';

/** A refund as staff see it. */
export function presentRefund(refund: Refund): RefundData {
  return {
    refundId: refund.refundId,
    tenantId: refund.tenantId,
    chargeId: refund.chargeId,
    orderId: refund.orderId,
    status: refund.status,
    amount: refund.amountMinor === null ? null : fromMinor(refund.amountMinor),
    currency: refund.currency,
    kind: refund.kind,
    origin: refund.origin,
    gatewayRefundId: refund.gatewayRefundId,
    reason: refund.reason,
    requestedBy: refund.requestedBy,
    approvedBy: refund.approvedBy,
    restorePoints: refund.restorePoints,
    restock: refund.restock,
    lines: refund.lines,
    needsStaff: refund.status === 'needs_staff',
    lastError: refund.lastError,
    decidedAt: refund.createdAt.toISOString(),
    confirmedAt: refund.confirmedAt?.toISOString() ?? null,
    resolution: refund.resolution,
    resolvedBy: refund.resolvedBy,
    note: refund.note,
  };
}
