import { setTimeout } from 'node:timers/promises';
import { type Database, firstRow } from '#db/database.ts';

/** The last row of each table that says what changed in the books, by its id. */
export interface Written {
  ledgerEntry: number;
  cashEntry: number;
  orderTransition: number;
}

const PAUSE_MS = 20;

/** Transactions of the order service are brief; what does not end in time is asked for again. */
const LONGEST_MS = 15_000;

const last = `select coalesce((select max(entry_id) from ledger_entry), 0) as ledger_entry,
  coalesce((select max(entry_id) from cash_entry), 0) as cash_entry,
  coalesce((select max(transition_id) from order_transition), 0) as order_transition`;

/** SQL for the transactions that write to these tables. Each has had this lock since before it got the first of its ids. */
const writers = `select virtualtransaction from pg_locks
  where locktype = 'relation' and mode = 'RowExclusiveLock' and granted
    and database = (select oid from pg_database where datname = current_database())
    and relation in ('ledger_entry'::regclass, 'cash_entry'::regclass, 'order_transition'::regclass)`;

/**
 * The last rows that are there now, once every transaction that could still add one before them has ended: whoever reads
 * up to them misses none that commits late. Locks nothing.
 * @throws Error if such a transaction goes on for longer than 15 seconds.
 */
export async function lastWritten(database: Database): Promise<Written> {
  const deadline = Date.now() + LONGEST_MS;
  const written = await firstRow<Written>(database, last, {});
  if (!written) throw new Error('nothing was read');
  const open = await firstRow<{ ids: string[] }>(database, `select array(${writers}) as ids`, {});
  while (await firstRow(database, `${writers} and virtualtransaction = any(:ids) limit 1`, { ids: open?.ids ?? [] })) {
    if (Date.now() > deadline) throw new Error('a transaction that writes to the books does not end');
    await setTimeout(PAUSE_MS);
  }
  return written;
}
