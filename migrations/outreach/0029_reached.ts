import type { Knex } from 'knex';

/** A column with a constant default: no rewrite, an exclusive lock of milliseconds. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table broadcast_task add column reached boolean not null default false;
    comment on column broadcast_task.reached is 'somebody clicked on it, so it was sent, whatever the platform reports';`);
}
