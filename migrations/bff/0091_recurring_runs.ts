import type { Knex } from 'knex';

/** When the sweep last began, and last came to its end. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table recurring_run (
      kind text primary key,
      started_at timestamptz not null,
      completed_at timestamptz
    );
    comment on table recurring_run is 'when each sweep last began, and last came to its end';
  `);
}
