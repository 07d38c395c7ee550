import { Model } from 'objection';
import type { GivenBack, Pieces } from '#domain/orders/lines.ts';
import type { RefundOrder, RefundOrigin, RefundStatus } from '#domain/orders/administration/refunds.ts';

/** A request for a refund without its key; null where the caller left it open. */
export type RefundWish = { [Field in Exclude<keyof RefundOrder, 'key'>]: Exclude<RefundOrder[Field], undefined> };

export class Refund extends Model {
  static override tableName = 'refund';
  static override idColumn = 'refundId';
  static override jsonAttributes = ['request', 'lines', 'givenBack'];

  /** The charge's id where its money is unaccepted. */
  declare refundId: string;
  declare tenantId: string;
  declare kind: 'unaccepted' | 'staff';
  declare origin: RefundOrigin;
  /** The gateway's id of it; null while it is not known. */
  declare gatewayRefundId: string | null;
  /** Null where only points were given back. */
  declare chargeId: string | null;
  /** Null for money of an unknown order. */
  declare orderId: string | null;
  declare status: RefundStatus;
  /** Null until the charge of unaccepted money was read. */
  declare amountMinor: number | null;
  declare currency: string | null;
  declare reason: string | null;
  declare requestedBy: string | null;
  /** Who approved it; null if no approval was needed. */
  declare approvedBy: string | null;
  declare requestKey: string | null;
  /** The request made with the key. */
  declare request: RefundWish | null;
  declare restorePoints: boolean;
  declare restock: boolean;
  /** The pieces that it is for; null where it is of an amount. */
  declare lines: Pieces[] | null;
  /** What goes back once it is confirmed besides money; null if nothing. */
  declare givenBack: GivenBack | null;
  /** Which of its idempotency keys is in use. */
  declare keyNumber: number;
  declare askedSince: Date;
  declare lastError: string | null;
  declare resolution: 'retry' | 'done_elsewhere' | null;
  declare resolvedBy: string | null;
  declare note: string | null;
  declare createdAt: Date;
  declare confirmedAt: Date | null;
}
