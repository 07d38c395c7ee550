import type { Knex } from 'knex';

/** Columns that are null or the same everywhere, and a check of new rows alone: nothing is rewritten or scanned. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table campaign add column pace jsonb;
    comment on column campaign.pace is 'how its submission is spread over time, and until when; null: all at once';
    alter table campaign drop constraint campaign_pause_reason_check;
    alter table campaign add constraint campaign_pause_reason_check
      check (pause_reason in ('operator', 'unauthorized', 'late', 'approval', 'deadline')) not valid;

    alter table dispatch add column sub_task_size integer not null default 1000,
      add column paced_until timestamptz, add column deadline_over_at timestamptz;
    comment on column dispatch.sub_task_size is 'contacts of a sub-task at most';
    comment on column dispatch.paced_until is 'when the pace of the campaign lets the next sub-task be submitted; null: not looked at yet';
    comment on column dispatch.deadline_over_at is 'when the rest was kept back at the deadline, which then no longer counts';`);
}
