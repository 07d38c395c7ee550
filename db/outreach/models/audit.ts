import { Model } from 'objection';

export class AuditLogRow extends Model {
  static override tableName = 'audit_log';
  static override idColumn = 'auditId';
  static override jsonAttributes = ['before', 'after'];

  declare auditId: string;
  declare tenantId: string;
  declare at: Date;
  declare actor: string;
  declare action: string;
  declare objectType: string;
  declare objectId: string;
  declare before: unknown;
  declare after: unknown;
  /** Our own. */
  declare requestId: string | null;
  /** As the caller called the request; anybody can write anything there. */
  declare callerRequestId: string | null;
}
