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
