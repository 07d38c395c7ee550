import { Problem } from '../../domain/api/problem.ts';
import { type Database, firstRow, type Transaction } from '../database.ts';
import { lockAudience, presentAudience } from './audiences.ts';
import { type Author, recordAudit } from './audit.ts';
import { AudienceRow } from './models.ts';

async function addMembers(transaction: Transaction, audienceId: string, contactIds: string[]): Promise<number> {
  const row = await firstRow<{ added: number }>(
    transaction,
    `with added as (
       insert into audience_member (audience_id, contact_id)
       select :audienceId, id from unnest(:contactIds::text[]) as given (id)
       on conflict (audience_id, contact_id) do nothing returning 1)
     select count(*) as added from added`,
    { audienceId, contactIds },
  );
  return row?.added ?? 0;
}

/**
 * Replaces a saved list by the ids that `batches` gives, in one transaction: when `batches` throws, the old list stays.
 * Holds one batch in memory at a time.
 * @throws Problem `not_found`, `invalid_content` for a tag filter, and whatever `batches` throws.
 */
export function replaceAudienceContacts(
  db: Database,
  author: Author,
  audienceId: string,
  batches: AsyncIterable<string[]>,
  now: Date,
): Promise<{ memberCount: number; duplicates: number }> {
  return db.transaction(async (transaction) => {
    const before = await lockAudience(transaction, author.tenantId, audienceId);
    if (before.type !== 'contacts') throw new Problem('invalid_content', 'Only a list of contacts can be replaced');
    await transaction.raw('delete from audience_member where audience_id = ?', [audienceId]);
    let given = 0;
    let memberCount = 0;
    for await (const batch of batches) {
      given += batch.length;
      memberCount += await addMembers(transaction, audienceId, batch);
    }
    const after = await AudienceRow.query(transaction).patchAndFetchById(audienceId, { memberCount, updatedAt: now });
    await recordAudit(transaction, author, {
      action: 'audience.replace',
      objectType: 'audience',
      objectId: audienceId,
      before: presentAudience(before),
      after: presentAudience(after),
    });
    return { memberCount, duplicates: given - memberCount };
  });
}
