import { uuidv7 } from 'uuidv7';
import type { AuditAction, AuditSubject } from '../../domain/orders/audit.ts';
import type { Transaction } from '../database.ts';
import { AuditEntry } from './models.ts';

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
