import type { Knex } from 'knex';

/** Adds empty tables. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Calls to the platform that are under way, so that an uninstall can wait for them. Unlogged: they end within
    -- seconds, and a row that a crash leaves behind counts no longer than a call may take.
    create unlogged table outbound_call (
      call_id uuid primary key,
      tenant_integration_id text not null,
      started_at timestamptz not null
    );
    create index outbound_call_by_integration on outbound_call (tenant_integration_id);

    -- Workflows of uninstalled tenants that are still to be cancelled; the sweep deletes a row once that is done.
    create table ending_workflow (
      campaign_id text not null references campaign,
      kind text not null check (kind in ('dispatch', 'poll', 'close', 'sources')),
      number integer not null default 0,
      primary key (campaign_id, kind, number)
    );
  `);
}
