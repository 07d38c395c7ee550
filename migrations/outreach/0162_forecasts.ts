import type { Knex } from 'knex';

/** Adds a column without a value, and one with a constant default: nothing is rewritten. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table dry_run add column forecast jsonb;
    comment on column dry_run.forecast is 'what its send is going to take; null from before there were forecasts';
    alter table broadcast_task add column polls integer not null default 0;
    comment on column broadcast_task.polls is 'how often the platform was asked for it (A2) until it ended'`);
}
