import { type Database, rows } from '#db/database.ts';

/** A sealed text, wherever it is in a row: in a column of its own, in JSON or in an array. */
const shape = String.raw`\mv(1|2\.[A-Za-z0-9_-]{1,32})\.[A-Za-z0-9_-]{38,}`;

/**
 * Every column of the services' schemas, as `schema.table.column`, that a row has a sealed text in.
 * @param naming only rows in which one of these texts occurs, in whichever column
 */
export async function columnsWithSealedTexts(owner: Database, naming: readonly string[] = ['']): Promise<string[]> {
  const columns = await rows<{ schema: string; table: string; column: string }>(
    owner,
    `select n.nspname as schema, c.relname as table, a.attname as column
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('bff', 'outreach', 'orders') and c.relkind in ('r', 'p', 'm') and not c.relispartition
       and a.attnum > 0 and not a.attisdropped order by 1, 2, 3`,
    {},
  );
  const found: string[] = [];
  for (const { schema, table, column } of columns) {
    const sealed = await rows(
      owner,
      `select 1 from :schema:.:table: one where :column:::text ~ :shape
         and exists (select from unnest(cast(:naming as text[])) name where position(name in one::text) > 0) limit 1`,
      { schema, table, column, shape, naming },
    );
    if (sealed.length > 0) found.push(`${schema}.${table}.${column}`);
  }
  return found;
}

/** Every column whose name says that its texts are sealed. */
export async function columnsNamedSealed(owner: Database): Promise<string[]> {
  const found = await rows<{ name: string }>(
    owner,
    `select table_schema || '.' || table_name || '.' || column_name as name from information_schema.columns
     where table_schema in ('bff', 'outreach', 'orders') and column_name ~ '(encrypted|sealed)' order by 1`,
    {},
  );
  return found.map(({ name }) => name);
}
