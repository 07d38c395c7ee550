import { type Database, firstRow, type Transaction } from '#db/database.ts';

interface RowsRead {
  /** By sequential scans. */
  scanned: number;
  /** By an index. */
  fetched: number;
}

/**
 * A connection knows what it has read since it last reported to the server, which it never does within a transaction.
 */
async function readSoFar(transaction: Transaction, tables: string[]): Promise<RowsRead> {
  const read = await firstRow<RowsRead>(
    transaction,
    `select coalesce(sum(seq_tup_read), 0)::int as scanned, coalesce(sum(idx_tup_fetch), 0)::int as fetched
     from pg_stat_xact_user_tables stat join pg_class named on named.oid = coalesce(pg_partition_root(stat.relid), stat.relid)
     where named.relname = any(:tables)`,
    { tables },
  );
  if (!read) throw new Error('An aggregate returned no row');
  return read;
}

/**
 * How many rows of these tables, and of their partitions, `work` reads: unlike a plan's text or a duration, a count is
 * the same on every machine.
 */
export async function rowsRead(
  database: Database,
  tables: string[],
  work: (transaction: Transaction) => Promise<unknown>,
): Promise<RowsRead> {
  return await database.transaction(async (transaction) => {
    // A scan of an index alone fetches no rows once autovacuum has been there: what counts must not depend on when it was.
    await transaction.raw('set local enable_indexonlyscan = off');
    const before = await readSoFar(transaction, tables);
    await work(transaction);
    const after = await readSoFar(transaction, tables);
    return { scanned: after.scanned - before.scanned, fetched: after.fetched - before.fetched };
  });
}
