import type { Knex } from 'knex';

/** Test sends are no sub-tasks; they are kept so that their clicks are known for what they are. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table test_send (
      key text primary key,
      tenant_id text not null references tenant,
      -- No reference: a draft can be deleted after its tests, whose clicks still come.
      campaign_id text not null,
      task_id text,
      created_at timestamptz not null default now()
    );
    create unique index test_send_by_task on test_send (tenant_id, task_id) where task_id is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table test_send');
}
