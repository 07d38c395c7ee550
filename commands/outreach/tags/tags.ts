import type { Transaction } from '#db/database.ts';
import { isUniqueViolation } from '#db/errors.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { TagRow } from '#db/outreach/models/tags.ts';
import { invalidField, Problem } from '#domain/api/problem.ts';
import { tagStatusAt } from '#domain/tags/status.ts';

/** What the audit log keeps of a tag: everything but its owner. */
export function audited(row: TagRow, now: Date): object {
  const { tenantId: _tenantId, archivedAt: _archivedAt, revision: _revision, ...tag } = row;
  return { ...tag, status: tagStatusAt(tag, now) };
}

/**
 * The tag, locked: changes to one tag and its assignments wait for each other, so that contact_count stays correct.
 */
export async function lockTag(transaction: Transaction, tenantId: string, tagId: string): Promise<TagRow> {
  const row = await TagRow.query(transaction).findOne({ tagId, tenantId }).forUpdate();
  if (!row) throw new Problem('not_found', 'There is no tag with this id');
  return row;
}

export const auditAssigned = (transaction: Transaction, author: Author, tagId: string, contactIds: string[]) =>
  recordAudit(transaction, author, { action: 'tag.assign', objectType: 'tag', objectId: tagId, after: { contactIds } });

export function assertNotArchived({ status }: TagRow): void {
  if (status === 'archived') throw new Problem('invalid_state', 'The tag is archived');
}

/** A service number has at most one tag of a name, case-insensitive; archived tags do not count. */
export async function assertNameIsFree<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new Problem('conflict', 'The service number already has a tag with this name', {
      errors: [invalidField('/name', 'name_taken')],
      cause: error,
    });
  }
}

export const lifeOf = (expiresAt: Date | null, now: Date): 'active' | 'expired' =>
  expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
