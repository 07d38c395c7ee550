import { uuidv7 } from 'uuidv7';
import type { AuditObjectType } from '#domain/api/audit.ts';
import type { Database } from '#db/database.ts';
import { AuditLogRow } from '../models/audit.ts';

/** During which request something is written. */
export interface RequestIds {
  /** Our own id of it. */
  requestId: string | null;
  /** As its caller called it. */
  callerRequestId?: string | null;
}

/** Who writes, and during which request. */
export interface Author extends RequestIds {
  tenantId: string;
  /** A platformUserId, or `platform` for changes made by the platform's lifecycle calls. */
  userId: string;
}

export interface AuditEntry {
  /** `<object>.<verb>`, e.g. `campaign.send`. */
  action: string;
  objectType: AuditObjectType;
  objectId: string;
  before?: unknown;
  after?: unknown;
}

/** Records who did what. Call it in the transaction of the write itself, so that neither exists without the other. */
export async function recordAudit(transaction: Database, author: Author, entry: AuditEntry): Promise<void> {
  await AuditLogRow.query(transaction).insert({
    auditId: uuidv7(),
    tenantId: author.tenantId,
    actor: author.userId,
    action: entry.action,
    objectType: entry.objectType,
    objectId: entry.objectId,
    before: entry.before ?? null,
    after: entry.after ?? null,
    requestId: author.requestId,
    callerRequestId: author.callerRequestId ?? null,
  });
}
