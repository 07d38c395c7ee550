import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Which attempt holds a submission: only that one may say how it ended.
    alter table broadcast_task add column submitting_by text;
    -- The send that took over the contacts of a rejected or failed sub-task; it counts no more.
    alter table broadcast_task add column superseded_by text references dispatch;
    create index broadcast_task_unsettled on broadcast_task (dispatch_id, chunk) where status in ('pending', 'submitting');

    -- When the late rule paused this send; resumed after that, it goes in spite of its time.
    alter table dispatch add column late_at timestamptz;

    -- occurredAt of the newest event that said each thing, so that events in any order give the same profile.
    alter table contact_profile add column field_times jsonb not null default '{}';

    -- A batch is fair by tenant: each tenant's due events are found without reading the others'.
    create index event_inbox_fair on event_inbox (partition, tenant_id, next_attempt_at) where status = 'stored';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index event_inbox_fair;
    alter table contact_profile drop column field_times;
    alter table dispatch drop column late_at;
    drop index broadcast_task_unsettled;
    alter table broadcast_task drop column superseded_by, drop column submitting_by;
  `);
}
