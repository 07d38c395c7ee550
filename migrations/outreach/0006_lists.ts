import type { Knex } from 'knex';

/** Lists page by the order they are shown in; each order has an index. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index tag_assignment_by_time on tag_assignment (tag_id, assigned_at desc, contact_id desc);
    create index broadcast_task_submitting on broadcast_task (tenant_id) where status = 'submitting';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index broadcast_task_submitting, tag_assignment_by_time');
}
