import type { Knex } from 'knex';

/**
 * Every role that somebody had at the last sign-in, the strongest first: it says who administers orders beside the
 * campaigns, or alone. A constant default: no rewrite, an exclusive lock of milliseconds; who has not signed in since has
 * only `role`.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table app_user add column roles text[] not null default '{}';
    comment on column app_user.roles is 'all roles at the last sign-in; empty if that was before they were kept';`);
}
