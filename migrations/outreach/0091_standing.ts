import type { Knex } from 'knex';

/** What says why a campaign stands still, and when sweeps and Schedules last ran. It rewrites nothing. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table broadcast_task
      add column failing_since timestamptz,
      add column failing_with text,
      add column reported_at timestamptz;
    alter table broadcast_task add constraint broadcast_task_failing_check
      check ((failing_since is null) = (failing_with is null)
        and failing_with in ('no_response', 'error', 'unauthorized')) not valid;
    comment on column broadcast_task.failing_since is 'since when every call about it to the platform has failed; null after one that did not';
    comment on column broadcast_task.reported_at is 'when the platform last reported something new about it (A2)';
    create table recurring_run (
      kind text primary key,
      started_at timestamptz not null,
      completed_at timestamptz
    );
    comment on table recurring_run is 'when each sweep and Schedule last began, and last came to its end';
  `);
}
