import type { Knex } from 'knex';

/** One more kind. No row breaks what the rows before kept, so none is looked at. */
const kinds = `
  alter table template drop constraint template_kind_check;
  alter table template add constraint template_kind_check check (kind in ('card', 'campaign', 'message')) not valid;`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(kinds);
}
