import type { Knex } from 'knex';

/** Staff look at callbacks that fit no payment: few among very many. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`create index gateway_event_unmatched on gateway_event (received_at) where status = 'unmatched'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index gateway_event_unmatched');
}
