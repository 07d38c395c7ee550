import { uuidv7 } from 'uuidv7';
import { Problem, invalidField } from '../../../domain/api/problem.ts';
import { type Database, rows, type Transaction } from '../../database.ts';
import { type Author, recordAudit } from '../audit/record.ts';
import { type ClickFilter, insertForClickers } from '../clicks/pages.ts';
import { ClickerTaggingRow, type TagRow } from '../models/tags.ts';
import { addToCount } from './assignments.ts';
import { assertNotArchived, lockTag } from './tags.ts';

export interface ClickersToTag {
  campaignId: string;
  serviceNumberId: string;
  tagId: string;
  filter: ClickFilter;
}

/** @throws Problem `not_found`, `invalid_state` for an archived tag, `invalid_content` for one of another service number. */
async function lockTagFor(
  transaction: Transaction,
  tenantId: string,
  wanted: Pick<ClickersToTag, 'tagId' | 'serviceNumberId'>,
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
 * Checks that the clickers may get the tag, records who gives it to them, and stores how far that is.
 * @returns the id for `tagClickers`.
 */
export function beginTaggingClickers(
  database: Database,
  author: Author,
  { filter, ...wanted }: ClickersToTag,
  now: Date,
): Promise<string> {
  const { tenantId, userId: assignedBy } = author;
  const taggingId = uuidv7();
  return database.transaction(async (transaction) => {
    await lockTagFor(transaction, tenantId, wanted);
    const begun = { ...wanted, taggingId, tenantId, filter, assignedBy, afterClick: null, updatedAt: now };
    await ClickerTaggingRow.query(transaction).insert(begun);
    await recordAudit(transaction, author, {
      action: 'tag.assign',
      objectType: 'tag',
      objectId: wanted.tagId,
      after: { clickedIn: wanted.campaignId, ...filter },
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
    const tagging = await ClickerTaggingRow.query(transaction).findById(taggingId).forUpdate();
    if (!tagging) return null;
    const { tenantId, serviceNumberId, campaignId, tagId, filter, afterClick, assignedBy } = tagging;
    await lockTagFor(transaction, tenantId, tagging);
    const page = await insertForClickers(
      transaction,
      { scope: { tenantId, serviceNumberId, campaignId }, filter, after: afterClick },
      {
        into: 'tag_assignment (tenant_id, tag_id, contact_id, assigned_at, assigned_by)',
        values: ':tenantId, :tagId, k.contact_id, :now::timestamptz, :assignedBy',
        bindings: { tagId, now, assignedBy },
      },
    );
    await addToCount(transaction, tagId, page.added);
    const own = ClickerTaggingRow.query(transaction).findById(taggingId);
    await (page.after === null ? own.delete() : own.patch({ afterClick: page.after, updatedAt: now }));
    return { assigned: page.added, isLast: page.after === null };
  });
}

/**
 * Gives the tag to those who clicked, page by page; whoever has it keeps it with its origin. It can be repeated, and
 * continued by another process.
 * @throws Problem as `beginTaggingClickers`, if the tag was archived in the meantime: nobody continues it then.
 */
export async function tagClickers(
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
    if (error instanceof Problem) await ClickerTaggingRow.query(database).findById(taggingId).delete();
    throw error;
  }
}

/** Taggings that nobody has gone on with since `before`: the process that did died. */
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
