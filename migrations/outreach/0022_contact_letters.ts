import type { Knex } from 'knex';

/**
 * Chinese names are searched by one or two characters, of which there is no trigram; and where the database's locale is C,
 * trigrams know no Chinese at all. So each character beyond ASCII is indexed by itself.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index contact_profile_letters on contact_profile using gin (regexp_split_to_array(nullif(regexp_replace(
      contact_id || chr(10) || coalesce(display_name, ''), '[[:ascii:]]+', '', 'g'), ''), ''))
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index contact_profile_letters');
}
