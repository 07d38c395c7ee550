import type { Database, Transaction } from '#db/database.ts';

interface Plan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

const ofNode = (plan: Plan, table: string): number => {
  const own =
    plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
  const below = (plan.Plans ?? []).reduce((sum, each) => sum + ofNode(each, table), 0);
  return below + (plan['Relation Name']?.startsWith(table) === true ? own * plan['Actual Loops'] : 0);
};

/**
 * How many rows of a table and its partitions the queries of `work` look at, including those that filters remove and
 * those of which only the index is read. The queries are run once more to be explained, so they must not write.
 */
export async function planRows(
  database: Database,
  table: string,
  work: (transaction: Transaction) => Promise<unknown>,
): Promise<number> {
  const seen: { sql: string; bindings: unknown[] }[] = [];
  const note = (query: { sql: string; bindings?: unknown[] }) =>
    void seen.push({ sql: query.sql, bindings: query.bindings ?? [] });
  database.on('query', note);
  await database.transaction(work);
  database.off('query', note);
  let read = 0;
  for (const { sql, bindings } of seen.filter((query) => /^\s*(select|with)\b/.test(query.sql))) {
    const explain = `explain (analyze, format json) ${sql.replaceAll(/\$\d+/g, '?')}`;
    const { rows } = (await database.raw(explain, bindings as string[])) as {
      rows: { 'QUERY PLAN': { Plan: Plan }[] }[];
    };
    for (const { Plan: plan } of rows[0]?.['QUERY PLAN'] ?? []) read += ofNode(plan, table);
  }
  return read;
}
