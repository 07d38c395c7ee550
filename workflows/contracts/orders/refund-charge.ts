export interface RefundChargeInput {
  refundId: string;
  /** Null for money of an unknown order. */
  orderId: string | null;
  tenantId: string;
  /** The event by which the gateway reports a refund or a dispute, which is then only booked; `refundId` says the same. */
  reportedBy?: string;
}

/** `booked`: a dispute. `needs_staff`: the gateway rejected it for good, or has not shown the money for a day. */
export type RefundChargeResult = 'confirmed' | 'booked' | 'needs_staff' | 'unknown_refund';

/** `refund:<refundId>`; money that no order accepts is refunded once, and that refund has its charge's id. */
export function refundWorkflowId(refundId: string): string {
  return `refund:${refundId}`;
}

/** `refund-report:<eventId>`: a report is booked by one run at a time. */
export function refundReportWorkflowId(eventId: string): string {
  return `refund-report:${eventId}`;
}
