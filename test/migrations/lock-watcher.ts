import type { Knex } from 'knex';
import { rows, type Transaction } from '#db/database.ts';

type Up = (knex: Knex) => PromiseLike<unknown>;

interface Table {
  name: string;
  /** Changes with each rewrite. */
  filenode: number;
  indexes: string[];
  /** How many rows this transaction has read by scanning the table. */
  scanned: number;
}

/** Whoever reads or writes a table waits for these. */
const blocking = ['AccessExclusiveLock', 'ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock'];

const tablesSql = `
  select c.relname as name, c.relfilenode::int as filenode, coalesce(s.seq_tup_read, 0)::int as scanned,
    array(select i.indexrelid::regclass::text from pg_index i where i.indrelid = c.oid order by 1) as indexes
  from pg_class c left join pg_stat_xact_user_tables s on s.relid = c.oid
  where c.relkind in ('r', 'p') and c.relnamespace = :schema::regnamespace and c.relname not like 'knex%'`;

const locksSql = `
  select distinct c.relname as name from pg_locks l join pg_class c on c.oid = l.relation
  where l.pid = pg_backend_pid() and l.granted and l.mode = any(:blocking)`;

async function tablesOf(transaction: Transaction, schema: string): Promise<Map<string, Table>> {
  const found = await rows<Table>(transaction, tablesSql, { schema });
  return new Map(found.map((table) => [table.name, table]));
}

function longWork(before: Table, after: Table): string[] {
  const built = after.indexes.filter((index) => !before.indexes.includes(index));
  return [
    ...(before.filenode === after.filenode ? [] : ['rewritten']),
    ...built.map((index) => `${index} is built`),
    ...(after.scanned > before.scanned ? ['scanned'] : []),
  ];
}

/**
 * Runs a migration in a transaction, as `migrate` does, and takes it back.
 * @returns what takes as long as its table is large, while whoever uses the table waits: `contact_profile: rewritten`.
 */
export async function longLocksOf(owner: Knex, schema: string, up: Up): Promise<string[]> {
  const transaction = await owner.transaction();
  try {
    const before = await tablesOf(transaction as Transaction, schema);
    await up(transaction as unknown as Knex);
    const after = await tablesOf(transaction as Transaction, schema);
    const locked = await rows<{ name: string }>(transaction as Transaction, locksSql, { blocking });
    const names = new Set(locked.map(({ name }) => name));
    return [...before.values()].flatMap((table) => {
      const now = after.get(table.name);
      if (!now || !names.has(table.name)) return [];
      return longWork(table, now).map((work) => `${table.name}: ${work}`);
    });
  } finally {
    await transaction.rollback();
  }
}
