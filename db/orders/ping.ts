import type { Knex } from 'knex';

/** Resolves when the database answers and the schema is there. */
export async function ping(database: Knex): Promise<void> {
  await database.raw('select 1 from customer_order limit 1');
}
