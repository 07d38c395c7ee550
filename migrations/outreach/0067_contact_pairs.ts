import type { Knex } from 'knex';

/** SQL: each pair of neighbouring characters within lines; a line's last character may stand alone. */
const pairsFrom = (text: string) => `string_to_array(regexp_replace(${text}, '(..)', '\\1' || chr(10), 'g'), chr(10))`;

const searched = `lower(contact_id || chr(10) || coalesce(display_name, ''))`;

/**
 * Parts of ids and names that are too short for a trigram are found by their pairs of characters. contact_profile is locked
 * while the index is built: about 15 s for a million contacts.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `create index contact_profile_pairs on contact_profile
     using gin ((${pairsFrom(searched)} || ${pairsFrom(`substr(${searched}, 2)`)}))`,
  );
}
