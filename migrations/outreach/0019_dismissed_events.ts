import type { Knex } from 'knex';

/**
 * Both statements read the whole table and nobody else may use it meanwhile: about a second and a half for a million
 * events. Deliveries are repeated by the platform, so none is lost.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table event_inbox drop constraint event_inbox_status_check,
      add constraint event_inbox_status_check check (status in ('stored', 'processed', 'failed', 'dismissed'));
    create index event_inbox_dismissed on event_inbox (tenant_id, received_at desc, event_id desc)
      where status = 'dismissed';
  `);
}
