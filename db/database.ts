import type { Knex } from 'knex';

/** A pool or a transaction: repositories accept either. Named here so that only db/ knows the library. */
export type Database = Knex;

export type Transaction = Knex.Transaction;

/** The rows of a raw statement; the caller vouches that the type matches its select list. */
export async function rows<Row>(database: Database, sql: string, bindings: Record<string, unknown>): Promise<Row[]> {
  const result = (await database.raw(sql, bindings as Record<string, Knex.Value>)) as unknown as { rows: Row[] };
  return result.rows;
}

/** The first row, or null. */
export async function firstRow<Row>(
  database: Database,
  sql: string,
  bindings: Record<string, unknown>,
): Promise<Row | null> {
  const [row] = await rows<Row>(database, sql, bindings);
  return row ?? null;
}

/** Resolves if the database responds, takes writes and has this table, without which the service cannot run. */
export async function ping(database: Database, table: string): Promise<void> {
  const found = await firstRow<{ readOnly: boolean }>(
    database,
    `select current_setting('transaction_read_only')::boolean as read_only, exists (select from :table:)`,
    { table },
  );
  if (found?.readOnly) throw new Error('the database takes no writes');
}
