import type { Knex } from 'knex';

/**
 * A send of a million contacts would check a million times that its one dispatch exists. Recipients are written in the
 * transaction that writes the dispatch, and neither is ever deleted.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table dispatch_recipient drop constraint dispatch_recipient_dispatch_id_fkey');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'alter table dispatch_recipient add constraint dispatch_recipient_dispatch_id_fkey foreign key (dispatch_id) references dispatch',
  );
}
