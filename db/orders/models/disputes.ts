import { Model } from 'objection';
import type { DisputeStatus } from '#domain/orders/administration/disputes.ts';

export class Dispute extends Model {
  static override tableName = 'dispute';
  static override idColumn = 'disputeId';

  /** The gateway's id of it. */
  declare disputeId: string;
  declare tenantId: string;
  declare orderId: string;
  declare chargeId: string;
  /** What the payer claims. */
  declare amountMinor: number;
  /** What of it is booked: held while it is open, given back once it is lost, 0 once it is won. */
  declare bookedMinor: number;
  declare currency: string;
  declare reason: string;
  declare dueAt: Date;
  declare status: DisputeStatus;
  declare needsStaff: boolean;
  declare openedAt: Date;
  declare closedAt: Date | null;
  declare createdAt: Date;
}

/** What staff note about a dispute for each other. */
export class DisputeNote extends Model {
  static override tableName = 'dispute_note';
  static override idColumn = 'noteId';

  /** A UUIDv7: notes are in the order of their ids. */
  declare noteId: string;
  declare disputeId: string;
  declare author: string;
  declare authorName: string;
  declare body: string;
  declare createdAt: Date;
}
