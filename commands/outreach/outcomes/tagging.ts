import type { Transaction } from '#db/database.ts';
import type { ClickFilter } from '#db/outreach/clicks/filter.ts';
import type { TagRow } from '#db/outreach/models/tags.ts';
import { invalidField, Problem } from '#domain/api/problem.ts';
import type { ContactOutcome } from '#domain/contacts/outcomes.ts';
import { assertNotArchived, lockTag } from '../tags/tags.ts';

export interface ContactsToTag {
  campaignId: string;
  serviceNumberId: string;
  tagId: string;
  who: ContactOutcome;
  filter: ClickFilter;
}

/** @throws Problem `not_found`, `invalid_state` for an archived tag, `invalid_content` for one of another service number. */
export async function lockTagFor(
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
