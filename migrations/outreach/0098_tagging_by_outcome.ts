import type { Knex } from 'knex';

/** Adds columns with a constant default to a table that has a row for as long as somebody is tagging. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table clicker_tagging add column who text not null default 'clicked', add column after_task jsonb;
    comment on table clicker_tagging is 'the contacts of a campaign with an outcome are being given a tag; a row goes with its last page';
    comment on column clicker_tagging.after_click is 'the time of the last click, conversation or tag that was read, in microseconds';
    comment on column clicker_tagging.after_task is 'the number of the send and the place of the last sub-task that was read'`);
}
