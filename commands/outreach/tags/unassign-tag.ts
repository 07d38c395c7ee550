import { type Database, rows } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { addToCount, removeSql } from '#db/outreach/tags/assignments.ts';
import { assertNotArchived, lockTag } from './tags.ts';

/** @throws Problem `not_found`, `invalid_state` for an archived tag. */
export function unassignTag(
  database: Database,
  author: Author,
  tagId: string,
  contactIds: string[],
  now: Date,
): Promise<void> {
  return database.transaction(async (transaction) => {
    assertNotArchived(await lockTag(transaction, author.tenantId, tagId));
    const removed = await rows<{ contactId: string }>(transaction, removeSql, {
      tenantId: author.tenantId,
      tagId,
      contactIds,
      now,
    });
    await addToCount(transaction, tagId, -removed.length);
    await recordAudit(transaction, author, {
      action: 'tag.unassign',
      objectType: 'tag',
      objectId: tagId,
      before: { contactIds: removed.map(({ contactId }) => contactId) },
    });
  });
}
