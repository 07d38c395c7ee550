import { uuidv7 } from 'uuidv7';
import type { Database } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { OutcomeTaggingRow } from '#db/outreach/models/tags.ts';
import { type ContactsToTag, lockTagFor } from './tagging.ts';

/**
 * Checks that the contacts may get the tag, records who gives it to them, and stores how far that is.
 * @returns the id for `tagContacts`.
 */
export function beginTagging(
  database: Database,
  author: Author,
  { filter, ...wanted }: ContactsToTag,
  now: Date,
): Promise<string> {
  const { tenantId, userId: assignedBy } = author;
  const taggingId = uuidv7();
  return database.transaction(async (transaction) => {
    await lockTagFor(transaction, tenantId, wanted);
    const begun = {
      ...wanted,
      taggingId,
      tenantId,
      filter,
      assignedBy,
      afterClick: null,
      afterTask: null,
      updatedAt: now,
    };
    await OutcomeTaggingRow.query(transaction).insert(begun);
    await recordAudit(transaction, author, {
      action: 'tag.assign',
      objectType: 'tag',
      objectId: wanted.tagId,
      after:
        wanted.who === 'clicked'
          ? { clickedIn: wanted.campaignId, ...filter }
          : { outcomeIn: wanted.campaignId, outcome: wanted.who, ...filter },
    });
    return taggingId;
  });
}
