import { Model } from 'objection';
import type { AuditAction, AuditSubject } from '#domain/orders/administration/audit.ts';

export class AuditEntry extends Model {
  static override tableName = 'audit_entry';
  static override idColumn = 'entryId';
  static override jsonAttributes = ['before', 'after'];

  /** A UUIDv7: entries are in the order of their ids. */
  declare entryId: string;
  declare tenantId: string;
  declare at: Date;
  declare actor: string;
  declare action: AuditAction;
  declare subjectType: AuditSubject;
  declare subjectId: string;
  declare before: Record<string, unknown> | null;
  declare after: Record<string, unknown> | null;
  declare requestId: string | null;
  declare callerRequestId: string | null;
}
