import { type Database, rows, type Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { TagRow } from '#db/outreach/models/tags.ts';
import type { BatchResult } from '#domain/api/batches.ts';
import { type Change, changeEach } from '../batch.ts';
import { audited, lockTag } from './tags.ts';
import { anyRevision, type RevisionCheck } from '../revision-check.ts';

async function archive(
  transaction: Transaction,
  author: Author,
  tagId: string,
  { now, checkRevision = anyRevision }: { now: Date; checkRevision?: RevisionCheck },
): Promise<Change> {
  const before = await lockTag(transaction, author.tenantId, tagId);
  checkRevision(before.revision);
  if (before.status === 'archived') return 'unchanged';
  await TagRow.query(transaction).findById(tagId).patch({ status: 'archived', archivedAt: now });
  // Nothing assigns an archived tag, so nothing has to be kept from assigning it again.
  await rows(transaction, 'delete from removed_assignment where tag_id = :tagId', { tagId });
  await recordAudit(transaction, author, {
    action: 'tag.archive',
    objectType: 'tag',
    objectId: tagId,
    before: audited(before, now),
  });
  return 'done';
}

/** Its assignments stay readable. Idempotent. @throws Problem `not_found`, `stale`. */
export async function archiveTag(
  database: Database,
  author: Author,
  tagId: string,
  given: { now: Date; checkRevision?: RevisionCheck },
): Promise<void> {
  await database.transaction((transaction) => archive(transaction, author, tagId, given));
}

/** The same for several. @returns what became of each. */
export function archiveTags(
  database: Database,
  author: Author,
  tagIds: readonly string[],
  now: Date,
): Promise<BatchResult[]> {
  return changeEach(database, tagIds, (transaction, tagId) => archive(transaction, author, tagId, { now }));
}
