import type { Knex } from 'knex';

/** Finds the payloads whose 90 days have passed; a payload that was deleted is the empty text. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`create index event_inbox_kept on event_inbox (received_at) where payload <> ''`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index event_inbox_kept');
}
