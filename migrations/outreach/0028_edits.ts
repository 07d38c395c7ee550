import type { Knex } from 'knex';

/**
 * Adds an empty table, and a column that is null everywhere: no rewrite, an exclusive lock of milliseconds. The index
 * on sub-tasks reads them once, and finds none.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table campaign_edit (
      edit_id text primary key,
      tenant_id text not null references tenant,
      campaign_id text not null references campaign,
      patch jsonb not null,
      requested_by text not null,
      request_id text,
      requested_at timestamptz not null,
      outcome text check (outcome in ('made', 'too_late', 'dropped')),
      settled_at timestamptz,
      check ((outcome is null) = (settled_at is null))
    );
    comment on table campaign_edit is 'changes of scheduled campaigns whose sub-tasks the platform has: made once it has cancelled all of them';
    comment on column campaign_edit.outcome is 'null while the tasks are being cancelled; dropped: the campaign was cancelled or closed in the meantime';
    create unique index campaign_edit_open on campaign_edit (campaign_id) where outcome is null;
    create index campaign_edit_campaign on campaign_edit (campaign_id);

    alter table broadcast_task add column withdrawn_for text references campaign_edit;
    comment on column broadcast_task.withdrawn_for is 'the edit for which the task is cancelled at the platform: its contacts move to another sub-task once it is';
    create index broadcast_task_withdrawn on broadcast_task (campaign_id) where withdrawn_for is not null;
    create index broadcast_task_withdrawn_for on broadcast_task (withdrawn_for) where withdrawn_for is not null;`);
}
