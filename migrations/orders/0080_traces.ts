import type { Knex } from 'knex';

/** Where the send of a charge belongs in a trace, if there are traces. It rewrites nothing, and locks the table for a moment. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table payment_attempt add column trace_parent text');
}
