import type { Database, Transaction } from '#db/database.ts';
import type { Author } from '#db/outreach/audit/record.ts';
import { AudienceRow, type Collecting } from '#db/outreach/models/audiences.ts';
import { insertForOutcome, type OutcomePosition } from '#db/outreach/outcomes/pages.ts';
import { insertAudience } from './audiences.ts';
import { recordCreation } from './create-audience.ts';

export type Collected = Omit<Collecting, keyof OutcomePosition>;

/** Stores an empty list that `collectList` fills. The id is the caller's, who may refer to it in the same transaction. */
export async function insertCollectedList(
  transaction: Transaction,
  author: Author,
  list: { audienceId: string; serviceNumberId: string; name: string; collected: Collected },
  now: Date,
): Promise<AudienceRow> {
  const { collected, ...named } = list;
  const collecting: Collecting = { ...collected, afterClick: null, afterTask: null };
  await insertAudience(transaction, author, { ...named, type: 'contacts', collecting }, now);
  const row = await AudienceRow.query(transaction).findById(named.audienceId).throwIfNotFound();
  await recordCreation(transaction, author, row);
  return row;
}

/** Adds one page, in a transaction of its own. False once the list is complete, or was deleted or replaced. */
function collectPage(database: Database, audienceId: string, now: Date): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const list = await AudienceRow.query(transaction).findById(audienceId).forUpdate();
    if (!list?.collecting) return false;
    const { tenantId, serviceNumberId } = list;
    const { campaignId, afterClick, afterTask, ...wanted } = list.collecting;
    const { added, next } = await insertForOutcome(
      transaction,
      { scope: { tenantId, serviceNumberId, campaignId }, wanted, after: { afterClick, afterTask } },
      {
        into: 'audience_member (audience_id, contact_id)',
        values: ':audienceId, k.contact_id',
        bindings: { audienceId },
      },
    );
    const collecting = next && { ...list.collecting, ...next };
    await AudienceRow.query(transaction)
      .findById(audienceId)
      .patch({ memberCount: list.memberCount + added, collecting, updatedAt: now });
    return next !== null;
  });
}

/** Fills a list, page by page. It can be repeated, and continued by another process. */
export async function collectList(database: Database, audienceId: string, now: () => Date): Promise<void> {
  while (await collectPage(database, audienceId, now()));
}
