import { Problem, invalidField } from '../../../domain/api/problem.ts';
import type { Database, Transaction } from '../../database.ts';
import { type Author, recordAudit } from '../audit/record.ts';
import { type ClickFilter, insertForClickers } from '../clicks/pages.ts';
import type { TagRow } from '../models/tags.ts';
import { addToCount } from './assignments.ts';
import { assertNotArchived, lockTag } from './tags.ts';

export interface ClickersToTag {
  campaignId: string;
  serviceNumberId: string;
  tagId: string;
  filter: ClickFilter;
}

/** @throws Problem `not_found`, `invalid_state` for an archived tag, `invalid_content` for one of another service number. */
async function lockTagFor(transaction: Transaction, tenantId: string, wanted: ClickersToTag): Promise<TagRow> {
  const tag = await lockTag(transaction, tenantId, wanted.tagId);
  assertNotArchived(tag);
  if (tag.serviceNumberId !== wanted.serviceNumberId)
    throw new Problem('invalid_content', 'The tag belongs to another service number', {
      errors: [invalidField('/tagId', 'unknown_or_archived')],
    });
  return tag;
}

/** Checks that the clickers may get the tag, and records who gives it to them. */
export function beginTaggingClickers(database: Database, author: Author, wanted: ClickersToTag): Promise<void> {
  return database.transaction(async (transaction) => {
    await lockTagFor(transaction, author.tenantId, wanted);
    await recordAudit(transaction, author, {
      action: 'tag.assign',
      objectType: 'tag',
      objectId: wanted.tagId,
      after: { clickedIn: wanted.campaignId, ...wanted.filter },
    });
  });
}

function tagPage(
  database: Database,
  author: Author,
  wanted: ClickersToTag,
  { after, now }: { after: string | null; now: Date },
): Promise<{ assigned: number; after: string | null }> {
  const { tenantId, userId } = author;
  const { filter, tagId, ...of } = wanted;
  return database.transaction(async (transaction) => {
    await lockTagFor(transaction, tenantId, wanted);
    const page = await insertForClickers(
      transaction,
      { scope: { tenantId, ...of }, filter, after },
      {
        into: 'tag_assignment (tenant_id, tag_id, contact_id, assigned_at, assigned_by)',
        values: ':tenantId, :tagId, k.contact_id, :now::timestamptz, :userId',
        bindings: { tagId, now, userId },
      },
    );
    await addToCount(transaction, tagId, page.added);
    return { assigned: page.added, after: page.after };
  });
}

/** Gives the tag to those who clicked, page by page; whoever has it keeps it with its origin. Can be repeated. */
export async function tagClickers(
  database: Database,
  author: Author,
  wanted: ClickersToTag,
  { now, onAssigned }: { now: () => Date; onAssigned: (count: number) => void },
): Promise<void> {
  let after: string | null = null;
  do {
    const page = await tagPage(database, author, wanted, { after, now: now() });
    onAssigned(page.assigned);
    after = page.after;
  } while (after !== null);
}
