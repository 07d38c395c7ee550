import type { Knex } from 'knex';

/** Where an event belongs in a trace, if there are traces. It rewrites nothing, and locks event_inbox for a moment. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table event_inbox add column trace_parent text');
}
