import type { Knex } from 'knex';

/** Adds an empty table. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- How often the platform may be called for an integration. A row of its own: calls lock the integration's.
    create table platform_pace (
      tenant_integration_id text primary key references tenant_integration on delete cascade,
      paused_until timestamptz,
      next_call_at timestamptz
    ) with (fillfactor = 50);
    comment on column platform_pace.paused_until is 'the platform asked not to be called before';
    comment on column platform_pace.next_call_at is
      'when the first token that nobody has taken is there; one second ago at most, which is what the bucket holds';
  `);
}
