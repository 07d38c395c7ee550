export interface RefundChargeInput {
  chargeId: string;
  orderId: string;
  tenantId: string;
}

export type RefundChargeResult = 'confirmed' | 'unknown_refund';

/** `refund:<chargeId>`: a charge is refunded once. */
export function refundWorkflowId(chargeId: string): string {
  return `refund:${chargeId}`;
}

/** The charge id of such an id, or undefined where it is none. */
export function parseRefundWorkflowId(id: string): string | undefined {
  return /^refund:(.+)$/s.exec(id)?.[1];
}
