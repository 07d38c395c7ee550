import type { Database } from '#db/database.ts';
import type { Author } from '#db/outreach/audit/record.ts';
import { insertAssignments, unknownContacts } from '#db/outreach/tags/assignments.ts';
import type { BatchResult } from '#domain/api/batches.ts';
import { Problem } from '#domain/api/problem.ts';
import { changed, refused } from '../batch.ts';
import { assertNotArchived, auditAssigned, lockTag } from './tags.ts';

/**
 * Gives the tag to those of the contacts that its service number has.
 * @returns what became of each. @throws Problem `not_found`, `invalid_state` for an archived tag.
 */
export function tagContacts(
  database: Database,
  author: Author,
  { tagId, contactIds: given }: { tagId: string; contactIds: readonly string[] },
  now: Date,
): Promise<BatchResult[]> {
  const contactIds = [...new Set(given)];
  return database.transaction(async (transaction) => {
    const tag = await lockTag(transaction, author.tenantId, tagId);
    assertNotArchived(tag);
    const unknown = new Set((await unknownContacts(transaction, tag, contactIds)).map(({ contactId }) => contactId));
    const known = contactIds.filter((id) => !unknown.has(id));
    const added = new Set(await insertAssignments(transaction, author, tagId, { contactIds: known, now }));
    if (added.size > 0) await auditAssigned(transaction, author, tagId, [...added]);
    const notFound = new Problem('not_found', "The tag's service number has no such contact");
    return contactIds.map((id) =>
      unknown.has(id) ? refused(id, notFound) : changed(id, added.has(id) ? 'done' : 'unchanged'),
    );
  });
}
