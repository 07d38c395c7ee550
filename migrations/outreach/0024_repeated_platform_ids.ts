import type { Knex } from 'knex';

/**
 * Nothing in the protocol keeps a platform from giving an id again: its tasks are asked for by service number and id, and
 * one that was set up anew counts from the start. A click is a click of its campaign's task.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index broadcast_task_platform_id;
    create index broadcast_task_platform_id on broadcast_task (tenant_id, task_id) where task_id is not null;
    drop index test_send_by_task;
    create index test_send_by_task on test_send (tenant_id, task_id) where task_id is not null;
    alter table click_attribution drop constraint click_attribution_pkey,
      add primary key (tenant_id, task_id, contact_id, notice_id, action_index, campaign_id);
  `);
}

/** Fails where a platform did give an id again. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table click_attribution drop constraint click_attribution_pkey,
      add primary key (tenant_id, task_id, contact_id, notice_id, action_index);
    drop index test_send_by_task;
    create unique index test_send_by_task on test_send (tenant_id, task_id) where task_id is not null;
    drop index broadcast_task_platform_id;
    create unique index broadcast_task_platform_id on broadcast_task (tenant_id, task_id) where task_id is not null;
  `);
}
