import { firstRow, rows, type Transaction } from '#db/database.ts';
import { AudienceMemberRow, AudienceRow } from '../models/audiences.ts';
import { withPlannerMethodsDisabled } from '../planner-methods.ts';

const createStaged = (transaction: Transaction) =>
  transaction.raw('create temporary table staged (contact_id text collate "C" not null) on commit drop');

/** Collects ids without an index, since adding a million to one in arbitrary order costs several times as much. */
export async function stage(transaction: Transaction, batches: AsyncIterable<string[]>): Promise<number> {
  await createStaged(transaction);
  let given = 0;
  for await (const batch of batches) {
    given += batch.length;
    await transaction.raw('insert into staged select unnest(?::text[])', [batch]);
  }
  return given;
}

/** Replaces the members of a locked audience with the staged ones. */
export async function takeStaged(transaction: Transaction, audienceId: string): Promise<number> {
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

/** Keeps the members of a locked audience as those that are replaced. */
export async function keepReplaced(transaction: Transaction, audienceId: string): Promise<void> {
  await rows(
    transaction,
    `insert into audience_replaced (audience_id, contact_ids)
     select :audienceId, array(select contact_id from audience_member where audience_id = :audienceId)
     on conflict (audience_id) do update set contact_ids = excluded.contact_ids`,
    { audienceId },
  );
}

/** Exchanges the members of a locked audience and those that they replaced. @returns how many it has now, or null if none are kept. */
export async function exchangeReplaced(transaction: Transaction, audienceId: string): Promise<number | null> {
  const ofList = 'from audience_replaced where audience_id = :audienceId';
  if (!(await firstRow(transaction, `select 1 ${ofList}`, { audienceId }))) return null;
  await createStaged(transaction);
  await rows(transaction, `insert into staged select unnest(contact_ids) ${ofList}`, { audienceId });
  await keepReplaced(transaction, audienceId);
  return await takeStaged(transaction, audienceId);
}

/** From so many members on, reading all contacts of the service number once costs less than looking each up. */
const MANY = 10_000;

/** Members that the service number of their audience does not know as contacts. */
export async function unknownMembers(transaction: Transaction, audience: AudienceRow): Promise<number> {
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
