import type { Database } from '../database.ts';

/** Resolves when the database answers and the schema is there. */
export async function ping(database: Database): Promise<void> {
  await database.raw('select 1 from campaign limit 1');
}
