import type { Knex } from 'knex';

/** Adds an empty table. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table clicker_tagging (
      tagging_id text primary key,
      tenant_id text not null references tenant,
      tag_id text not null references tag,
      campaign_id text not null,
      service_number_id text not null,
      filter jsonb not null,
      after_click text,
      assigned_by text not null,
      updated_at timestamptz not null
    );
    comment on table clicker_tagging is 'who clicked in a campaign is being given a tag; a row goes with its last page';
    comment on column clicker_tagging.after_click is 'the time of the last click that was read, in microseconds; null before the first page';
    create index clicker_tagging_left on clicker_tagging (updated_at);
    create index clicker_tagging_tag on clicker_tagging (tag_id);
    create index clicker_tagging_tenant on clicker_tagging (tenant_id);`);
}
