import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import type { Page } from '#domain/api/primitives.ts';
import { decodeCursor, pageOf, type PageRequest } from '#domain/cursor.ts';
import type { AuditAction, AuditSubject } from '#domain/orders/administration/audit.ts';
import { type Database, rows, type Transaction } from '../database.ts';
import { AuditEntry } from './models/audit.ts';

/** During which request something was done or refused. */
export interface AuditedRequest {
  /** Our own id of it. */
  requestId: string | null;
  /** As its caller called it. */
  callerRequestId: string | null;
}

/** Who writes, and during which request. */
export interface Author extends AuditedRequest {
  /** Of the session. */
  userId: string;
}

/** Something that staff did. */
export interface AuditRecord {
  /** Whose data was changed. */
  tenantId: string;
  author: Author;
  action: AuditAction;
  subject: { type: AuditSubject; id: string };
  /** The changed object before and after; null if it did not or does not exist. Never secrets. */
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** Records a write of the administration, in the transaction of that write. */
export async function recordAudit(
  transaction: Transaction,
  { author, subject, ...record }: AuditRecord,
): Promise<void> {
  const { userId: actor, requestId, callerRequestId } = author;
  await AuditEntry.query(transaction).insert({
    entryId: uuidv7(),
    ...record,
    actor,
    requestId,
    callerRequestId,
    subjectType: subject.type,
    subjectId: subject.id,
  });
}

/** Requests of one person that were refused, with their count. */
export interface NotedRefusal extends AuditedRequest {
  entryId: string;
  /** Whose session it was. */
  tenantId: string;
  actor: string;
  operation: string;
  calls: number;
}

/** Records refusals, each once by its id, except for tenants that are unknown here. */
export async function recordRefusals(database: Database, refusals: readonly NotedRefusal[]): Promise<void> {
  await rows(
    database,
    `insert into audit_entry (entry_id, tenant_id, actor, action, subject_type, subject_id, after, request_id,
       caller_request_id)
     select r."entryId", r."tenantId", r.actor, 'access.refuse', 'access', r.operation,
       jsonb_build_object('calls', r.calls), r."requestId", r."callerRequestId"
     from jsonb_to_recordset(:refusals::jsonb) as r ("entryId" uuid, "tenantId" text, actor text, operation text, calls int,
       "requestId" text, "callerRequestId" text)
     where exists (select from tenant t where t.tenant_id = r."tenantId")
       and not exists (select from audit_entry e where e.entry_id = r."entryId")`,
    { refusals: JSON.stringify(refusals) },
  );
}

/** What staff did to a tenant's data, newest first. @throws Problem for a foreign cursor */
export async function listAudit(
  database: Database,
  { tenantId, actor }: { tenantId: string; actor: string | undefined },
  { cursor, limit }: PageRequest,
): Promise<Page<AuditEntry>> {
  const [before] = decodeCursor(z.tuple([z.uuid()]), cursor) ?? [];
  const found = await AuditEntry.query(database)
    .where({ tenantId, ...(actor === undefined ? {} : { actor }) })
    .where((entry) => before !== undefined && entry.where('entryId', '<', before))
    .orderBy('entryId', 'desc')
    .limit(limit + 1);
  return pageOf(found, limit, ({ entryId }) => [entryId]);
}
