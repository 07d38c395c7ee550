import { Model } from 'objection';
import type { ApprovalKind, ApprovalStatus } from '#domain/orders/administration/approvals.ts';
import type { RefundWish } from './refunds.ts';

export class Approval extends Model {
  static override tableName = 'refund_approval';
  static override idColumn = 'approvalId';
  static override jsonAttributes = ['request'];

  declare approvalId: string;
  declare tenantId: string;
  declare kind: ApprovalKind;
  /** Null for money that fits no order. */
  declare orderId: string | null;
  /** Of the callback that reports such money; null otherwise. */
  declare eventId: string | null;
  declare amountMinor: number;
  declare currency: string;
  declare reason: string | null;
  declare restorePoints: boolean;
  declare restock: boolean;
  /** The request made with the key, of an order's refund. */
  declare request: RefundWish | null;
  declare requestKey: string | null;
  declare status: ApprovalStatus;
  declare requestedBy: string;
  declare requestedByName: string;
  declare requestedAt: Date;
  declare decidedBy: string | null;
  declare decidedByName: string | null;
  declare decidedAt: Date | null;
  declare decisionReason: string | null;
}
