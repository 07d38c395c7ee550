import type { Knex } from 'knex';

/** An index is built beside writers outside of a transaction only. */
export const config = { transaction: false };

/**
 * Everybody of a service number, 64 ordinals at a time, without reading the profiles: 0.7 s for a million contacts. Its condition
 * holds for all, and keeps the planner from looking up a contact by it as long as there are no statistics.
 */
export async function up(knex: Knex): Promise<void> {
  // What an interrupted build leaves is no index.
  await knex.raw('drop index concurrently if exists contact_profile_by_word');
  await knex.raw(`create index concurrently contact_profile_by_word
    on contact_profile (tenant_id, service_number_id, (ordinal >> 6)) include (ordinal)
    where ordinal >= 0`);
}
