import { type Database, rows } from '#db/database.ts';

/** Every table of these schemas whose rows contain the text in any column, whatever its type, as `schema.table`. */
export async function tablesContaining(owner: Database, mark: string): Promise<string[]> {
  const tables = await rows<{ name: string }>(
    owner,
    `select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('outreach', 'bff') and c.relkind in ('r', 'p', 'm') and not c.relispartition order by 1`,
    {},
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await rows<{ count: number }>(
      owner,
      // A row as text has all its columns; bytes are written in hexadecimal.
      `select count(*) as count from ${name} t
       where position(:mark in t::text) > 0 or position(encode(convert_to(:mark, 'UTF8'), 'hex') in t::text) > 0`,
      { mark },
    );
    if (row && row.count > 0) found.push(name);
  }
  return found;
}
