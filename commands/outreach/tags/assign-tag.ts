import type { Database, Transaction } from '#db/database.ts';
import type { Author } from '#db/outreach/audit/record.ts';
import { TagRow } from '#db/outreach/models/tags.ts';
import { insertAssignments, unknownContacts } from '#db/outreach/tags/assignments.ts';
import { invalidField, Problem } from '#domain/api/problem.ts';
import { assertNotArchived, auditAssigned, lockTag } from './tags.ts';

/** Maximum number of rejected contacts in one error. */
const NAMED_CONTACTS = 100;

/** @throws Problem `invalid_content` naming contacts that the tag's service number does not have. */
async function assertKnownContacts(transaction: Transaction, tag: TagRow, contactIds: string[]): Promise<void> {
  const unknown = await unknownContacts(transaction, tag, contactIds, NAMED_CONTACTS);
  if (unknown.length === 0) return;
  throw new Problem('invalid_content', 'The service number does not have all of these contacts', {
    errors: unknown.map(({ contactId, index }) =>
      invalidField(`/contactIds/${index}`, 'foreign_contact', { contactId }),
    ),
  });
}

/**
 * Assigns the tag to contacts; a contact that already has it keeps the assignment with its origin.
 * @throws Problem `not_found`, `invalid_state` for an archived tag, `invalid_content` for unknown contacts.
 */
export function assignTag(
  database: Database,
  author: Author,
  tagId: string,
  given: string[],
  now: Date,
): Promise<{ assigned: number; alreadyAssigned: number }> {
  return database.transaction(async (transaction) => {
    const tag = await lockTag(transaction, author.tenantId, tagId);
    assertNotArchived(tag);
    await assertKnownContacts(transaction, tag, given);
    const contactIds = [...new Set(given)];
    const added = await insertAssignments(transaction, author, tagId, { contactIds, now });
    await auditAssigned(transaction, author, tagId, added);
    return { assigned: added.length, alreadyAssigned: contactIds.length - added.length };
  });
}
