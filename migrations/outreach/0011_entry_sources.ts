import type { Knex } from 'knex';

/** A campaign can have several: F1 is repeated after an ambiguous outcome, and sessions tell of the others. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table entry_source (
      tenant_id text not null references tenant,
      source_id text not null,
      campaign_id text not null references campaign,
      -- Changes of the campaign that the platform should know, and how many of them it was told (F2).
      wanted integer not null default 0,
      told integer not null default 0,
      -- F3 took effect, or the platform refused it for good (then with the code).
      ended_at timestamptz,
      error_code text,
      created_at timestamptz not null default now(),
      primary key (tenant_id, source_id)
    );
    create index entry_source_by_campaign on entry_source (campaign_id);
    create index entry_source_active on entry_source (campaign_id) where ended_at is null;
    create index campaign_ending on campaign (ends_at)
      where ends_at is not null and dispatches > 0 and status <> 'closed';

    insert into entry_source (tenant_id, source_id, campaign_id)
    select tenant_id, source_id, campaign_id from campaign where source_id is not null
    on conflict do nothing;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index campaign_ending; drop table entry_source');
}
