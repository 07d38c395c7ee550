import type { Knex } from 'knex';

/** Who wrote the content that a campaign has; null for what was written before this was kept. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table campaign add column edited_by text');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table campaign drop column edited_by');
}
