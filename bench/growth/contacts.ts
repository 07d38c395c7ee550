import { type Database, rows } from '#db/database.ts';

/** A tag, and the contacts that have it. */
export interface TaggedContacts {
  tenantId: string;
  serviceNumberId: string;
  tagId: string;
}

/** Ids whose order is that of the numbers, of which 1 is the first. */
export const contactIdOf = (serviceNumberId: string, number: number): string =>
  `${serviceNumberId}-${String(number).padStart(9, '0')}`;

const numberedId = `:serviceNumberId || '-' || lpad(n::text, 9, '0')`;

const insertProfiles = `
  insert into contact_profile (tenant_id, service_number_id, contact_id, follow_state, entered_at, last_event_at)
  select :tenantId, :serviceNumberId, ${numberedId}, 'following', now(), now()
  from generate_series(:from::int, :to::int) as n`;

const insertAssignments = `
  insert into tag_assignment (tenant_id, tag_id, contact_id)
  select :tenantId, :tagId, ${numberedId} from generate_series(:from::int, :to::int) as n`;

const searchIndexes = `
  select indexname as name, indexdef as definition from pg_indexes
  where schemaname = 'outreach' and tablename = 'contact_profile' and indexdef like '% USING gin %'`;

/** Builds the indexes of the search once after `work`, and not row by row, as in any bulk load. */
export function withoutSearchIndexes(owner: Database, work: (transaction: Database) => Promise<void>): Promise<void> {
  return owner.transaction(async (transaction) => {
    const indexes = await rows<{ name: string; definition: string }>(transaction, searchIndexes, {});
    for (const { name } of indexes) await transaction.raw('drop index ??', [name]);
    await work(transaction);
    await transaction.raw("set local maintenance_work_mem = '512MB'");
    for (const { definition } of indexes) await transaction.raw(definition);
  });
}

/** Adds contacts with the tag up to number `to`, as events and rules would have stored them. */
export async function importContacts(owner: Database, tagged: TaggedContacts, from: number, to: number): Promise<void> {
  const bindings = { ...tagged, from, to };
  await withoutSearchIndexes(owner, async (transaction) => {
    await rows(transaction, insertProfiles, bindings);
    await rows(transaction, insertAssignments, bindings);
    await rows(transaction, 'update tag set contact_count = :to where tag_id = :tagId', bindings);
  });
  await owner.raw('vacuum analyze contact_profile, tag_assignment');
}
