import { Problem } from '../../../domain/api/problem.ts';
import { type Database, firstRow, type Transaction } from '../../database.ts';
import { auditedAudience, lockAudience } from './audiences.ts';
import { type Author, recordAudit } from '../audit/record.ts';
import { AudienceMemberRow, AudienceRow } from '../models/audiences.ts';
import { withPlannerMethodsDisabled } from '../planner-methods.ts';

/** Collects ids without an index, since adding a million to one in arbitrary order costs several times as much. */
async function stage(transaction: Transaction, batches: AsyncIterable<string[]>): Promise<number> {
  await transaction.raw('create temporary table staged (contact_id text collate "C" not null) on commit drop');
  let given = 0;
  for await (const batch of batches) {
    given += batch.length;
    await transaction.raw('insert into staged select unnest(?::text[])', [batch]);
  }
  return given;
}

/** Replaces the members of a locked audience with the staged ones. */
async function takeStaged(transaction: Transaction, audienceId: string): Promise<number> {
  await AudienceMemberRow.query(transaction).delete().where({ audienceId });
  const row = await firstRow<{ added: number }>(
    transaction,
    `with added as (
       insert into audience_member (audience_id, contact_id)
       select distinct :audienceId, contact_id from staged returning 1)
     select count(*) as added from added`,
    { audienceId },
  );
  return row?.added ?? 0;
}

/** From so many members on, reading all contacts of the service number once costs less than looking each up. */
const MANY = 10_000;

/** Members that the service number of their audience does not know as contacts. */
async function unknownMembers(transaction: Transaction, audience: AudienceRow): Promise<number> {
  const { audienceId, tenantId, serviceNumberId, memberCount } = audience;
  const count = () =>
    firstRow<{ unknown: number }>(
      transaction,
      `select count(*) as unknown from audience_member m
       where m.audience_id = :audienceId and not exists (
         select from contact_profile p
         where p.tenant_id = :tenantId and p.service_number_id = :serviceNumberId and p.contact_id = m.contact_id)`,
      { audienceId, tenantId, serviceNumberId },
    );
  // Where both tables have just grown, their statistics are those of small ones, and each member would be compared with each contact.
  const row = await (memberCount > MANY ? withPlannerMethodsDisabled(transaction, ['nestloop'], count) : count());
  return row?.unknown ?? 0;
}

/**
 * Replaces a saved list with the ids that `batches` yields, in one transaction: if `batches` throws, the old list
 * stays. Holds one batch in memory at a time.
 * @throws Problem `not_found`, `invalid_content` for a tag filter, and whatever `batches` throws.
 */
export function replaceAudienceContacts(
  database: Database,
  author: Author,
  audienceId: string,
  batches: AsyncIterable<string[]>,
  now: Date,
): Promise<{ memberCount: number; duplicates: number; unknown: number }> {
  return database.transaction(async (transaction) => {
    const before = await lockAudience(transaction, author.tenantId, audienceId);
    if (before.type !== 'contacts') throw new Problem('invalid_content', 'Only a list of contacts can be replaced');
    const given = await stage(transaction, batches);
    const memberCount = await takeStaged(transaction, audienceId);
    const after = await AudienceRow.query(transaction).patchAndFetchById(audienceId, {
      memberCount,
      // What a campaign's clicks would still add is no part of the new list.
      collecting: null,
      updatedAt: now,
    });
    await recordAudit(transaction, author, {
      action: 'audience.replace',
      objectType: 'audience',
      objectId: audienceId,
      before: auditedAudience(before),
      after: auditedAudience(after),
    });
    return { memberCount, duplicates: given - memberCount, unknown: await unknownMembers(transaction, after) };
  });
}
