import type { Knex } from 'knex';

/** A column with a constant default: no rewrite, an exclusive lock of milliseconds. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table tenant add column viewers_see_contact_panel boolean not null default false;
    comment on column tenant.viewers_see_contact_panel is 'whether people who may only look see the embedded panel of a contact';`);
}
