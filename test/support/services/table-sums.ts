import { type Database, rows } from '#db/database.ts';

/** What the tables hold, a line each: the same as long as no row has changed. */
export const tableSums = (database: Database, tables: readonly string[]): Promise<string[]> =>
  Promise.all(
    tables.map(async (table) => {
      const text = `select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as sum from ${table} t`;
      const [row] = await rows<{ sum: string }>(database, text, {});
      return `${table} ${row?.sum ?? ''}`;
    }),
  );
