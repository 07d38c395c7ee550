import type { Knex } from 'knex';

/** What sweeps and the overview look for among very many rows. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index broadcast_task_polled on broadcast_task (next_poll_at) where next_poll_at is not null;
    create index broadcast_task_scheduled on broadcast_task (campaign_id) where status = 'scheduled';
    drop index event_inbox_failed;
    create index event_inbox_failed on event_inbox (tenant_id, received_at desc, event_id desc)
      include (service_number_id) where status = 'failed';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index event_inbox_failed;
    create index event_inbox_failed on event_inbox (tenant_id, received_at desc, event_id desc) where status = 'failed';
    drop index broadcast_task_scheduled, broadcast_task_polled;
  `);
}
