import { Model } from 'objection';
import type { PointKind } from '#domain/orders/administration.ts';

export class PointAccount extends Model {
  static override tableName = 'point_account';
  static override idColumn = ['tenantId', 'userId', 'kind'];

  declare tenantId: string;
  declare userId: string;
  declare kind: PointKind;
  declare granted: number;
  declare available: number;
  declare reserved: number;
  declare committed: number;
}

export type Bucket = 'granted' | 'available' | 'reserved' | 'committed';

export class LedgerEntry extends Model {
  static override tableName = 'ledger_entry';
  static override idColumn = 'entryId';

  declare entryId: number;
  declare movement: string;
  declare bucket: Bucket;
  declare amount: number;
  declare tenantId: string;
  declare userId: string;
  declare kind: PointKind;
  declare orderId: string | null;
  /** Who granted or adjusted; null for movements by orders. */
  declare actor: string | null;
  declare reason: string | null;
  declare at: Date;
}
