import { uuidv7 } from 'uuidv7';
import { Problem, invalidField } from '../../../domain/api/problem.ts';
import { type Database, rows, type Transaction } from '../../database.ts';
import { type Author, recordAudit } from '../audit/record.ts';
import type { ContactOutcome } from '../../../domain/contacts/outcomes.ts';
import type { ClickFilter } from '../clicks/filter.ts';
import { OutcomeTaggingRow, type TagRow } from '../models/tags.ts';
import { addToCount } from '../tags/assignments.ts';
import { assertNotArchived, lockTag } from '../tags/tags.ts';
import { insertForOutcome } from './pages.ts';

export interface ContactsToTag {
  campaignId: string;
  serviceNumberId: string;
  tagId: string;
  who: ContactOutcome;
  filter: ClickFilter;
}

/** @throws Problem `not_found`, `invalid_state` for an archived tag, `invalid_content` for one of another service number. */
async function lockTagFor(
  transaction: Transaction,
  tenantId: string,
  wanted: Pick<ContactsToTag, 'tagId' | 'serviceNumberId'>,
): Promise<TagRow> {
  const tag = await lockTag(transaction, tenantId, wanted.tagId);
  assertNotArchived(tag);
  if (tag.serviceNumberId !== wanted.serviceNumberId)
    throw new Problem('invalid_content', 'The tag belongs to another service number', {
      errors: [invalidField('/tagId', 'unknown_or_archived')],
    });
  return tag;
}

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

/** Tags the next page, in a transaction of its own. Null if nothing is left to do, as after the last page. */
function tagPage(
  database: Database,
  taggingId: string,
  now: Date,
): Promise<{ assigned: number; isLast: boolean } | null> {
  return database.transaction(async (transaction) => {
    const tagging = await OutcomeTaggingRow.query(transaction).findById(taggingId).forUpdate();
    if (!tagging) return null;
    const { tenantId, serviceNumberId, campaignId, tagId, assignedBy, who, filter } = tagging;
    const { afterClick, afterTask } = tagging;
    await lockTagFor(transaction, tenantId, tagging);
    const page = await insertForOutcome(
      transaction,
      {
        scope: { tenantId, serviceNumberId, campaignId },
        wanted: { who, ...filter },
        after: { afterClick, afterTask },
      },
      {
        into: 'tag_assignment (tenant_id, tag_id, contact_id, assigned_at, assigned_by)',
        values: ':tenantId, :tagId, k.contact_id, :now::timestamptz, :assignedBy',
        bindings: { tagId, now, assignedBy },
      },
    );
    await addToCount(transaction, tagId, page.added);
    const own = OutcomeTaggingRow.query(transaction).findById(taggingId);
    await (page.next === null ? own.delete() : own.patch({ ...page.next, updatedAt: now }));
    return { assigned: page.added, isLast: page.next === null };
  });
}

/**
 * Gives the tag to the contacts, page by page; whoever has it keeps it with its origin. It can be repeated, and
 * continued by another process.
 * @throws Problem as `beginTagging`, if the tag was archived in the meantime: nobody continues it then.
 */
export async function tagContacts(
  database: Database,
  taggingId: string,
  { now, onAssigned }: { now: () => Date; onAssigned: (count: number) => void },
): Promise<void> {
  try {
    for (let page = await tagPage(database, taggingId, now()); page; page = await tagPage(database, taggingId, now())) {
      onAssigned(page.assigned);
      if (page.isLast) return;
    }
  } catch (error) {
    if (error instanceof Problem) await OutcomeTaggingRow.query(database).findById(taggingId).delete();
    throw error;
  }
}

/** Taggings without progress since `before`: their process died. */
export async function unfinishedTaggings(
  database: Database,
  { before, limit }: { before: Date; limit: number },
): Promise<string[]> {
  const found = await rows<{ taggingId: string }>(
    database,
    `select tagging_id from clicker_tagging where updated_at < :before order by updated_at limit :limit`,
    { before, limit },
  );
  return found.map(({ taggingId }) => taggingId);
}
