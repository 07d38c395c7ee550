import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import type { Page } from '../../domain/api/primitives.ts';
import { decodeCursor, pageOf, type PageRequest } from '../../domain/cursor.ts';
import type { AuditAction, AuditSubject } from '../../domain/orders/administration/audit.ts';
import type { Database, Transaction } from '../database.ts';
import { AuditEntry } from './models/audit.ts';

/** Something that staff did. */
export interface AuditRecord {
  /** Whose data was changed. */
  tenantId: string;
  /** The user id of the session. */
  actor: string;
  action: AuditAction;
  subject: { type: AuditSubject; id: string };
  /** What the change touches, as it was and as it is; null where there was or is nothing. Never secrets. */
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** Records a write of the administration, in the transaction of that write. */
export async function recordAudit(transaction: Transaction, { subject, ...record }: AuditRecord): Promise<void> {
  await AuditEntry.query(transaction).insert({
    entryId: uuidv7(),
    ...record,
    subjectType: subject.type,
    subjectId: subject.id,
  });
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
