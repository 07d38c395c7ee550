import pMap from 'p-map';
import type { Schema } from './connection.ts';
import { type Database, firstRow, rows } from './database.ts';
import type { Encryption } from './encryption.ts';
import { type SealedColumn, sealedColumns } from './sealed-columns.ts';

/** Result for the texts of one column that were sealed with another key. */
export interface Reencrypted {
  schema: Schema;
  table: string;
  column: string;
  /** Sealed with the first key by this run. */
  done: number;
  /** No key opens them; they are unchanged. */
  unreadable: number;
  /** Not sealed with the first key when the run ended; more than `unreadable` if a service still uses another key. */
  left: number;
}

const ROWS_AT_ONCE = 500;
const UPDATES_AT_ONCE = 4;
/** A service that still seals with another key must not keep the run going for ever. */
const PASSES = 5;

interface SealedRow {
  key: string | Buffer;
  sealed: string;
}

const bindingsOf = ({ table, column, key }: SealedColumn) => ({ table, column, key });

function nextRows(
  database: Database,
  sealedColumn: SealedColumn,
  { prefix, after }: { prefix: string; after: string | Buffer | null },
): Promise<SealedRow[]> {
  return rows(
    database,
    `select :key: as key, :column: as sealed from :table:
     where not starts_with(:column:, :prefix) ${after === null ? '' : 'and :key: > :after'}
     order by :key: limit ${ROWS_AT_ONCE}`,
    { ...bindingsOf(sealedColumn), prefix, after },
  );
}

type Outcome = 'done' | 'changed meanwhile' | 'unreadable';

async function reencryptRow(
  database: Database,
  sealedColumn: SealedColumn,
  { encryption, row: { key, sealed } }: { encryption: Encryption; row: SealedRow },
): Promise<Outcome> {
  const context = sealedColumn.contextOf(key);
  let renewed: string;
  try {
    renewed = encryption.encrypt(encryption.decrypt(sealed, context), context);
  } catch {
    return 'unreadable';
  }
  // A service may have stored another text since: that one stays.
  const changed = await rows(
    database,
    'update :table: set :column: = :renewed where :key: = :id and :column: = :sealed returning 1',
    { ...bindingsOf(sealedColumn), id: key, sealed, renewed },
  );
  return changed.length > 0 ? 'done' : 'changed meanwhile';
}

type Counts = Record<Outcome, number>;

async function pass(database: Database, sealedColumn: SealedColumn, encryption: Encryption): Promise<Counts> {
  const counts: Counts = { done: 0, 'changed meanwhile': 0, unreadable: 0 };
  let after: string | Buffer | null = null;
  for (;;) {
    const found: SealedRow[] = await nextRows(database, sealedColumn, { prefix: encryption.prefix, after });
    const outcomes = await pMap(found, (row) => reencryptRow(database, sealedColumn, { encryption, row }), {
      concurrency: UPDATES_AT_ONCE,
    });
    for (const outcome of outcomes) counts[outcome] += 1;
    const last = found.at(-1);
    if (!last || found.length < ROWS_AT_ONCE) return counts;
    after = last.key;
  }
}

async function countLeft(database: Database, sealedColumn: SealedColumn, prefix: string): Promise<number> {
  const row = await firstRow<{ count: number }>(
    database,
    'select count(*) as count from :table: where not starts_with(:column:, :prefix)',
    { ...bindingsOf(sealedColumn), prefix },
  );
  return row?.count ?? 0;
}

async function reencryptColumn(database: Database, sealedColumn: SealedColumn, encryption: Encryption) {
  let done = 0;
  let last: Counts;
  let passes = 0;
  do {
    last = await pass(database, sealedColumn, encryption);
    done += last.done;
    passes += 1;
  } while (last.done + last['changed meanwhile'] > 0 && passes < PASSES);
  const left = await countLeft(database, sealedColumn, encryption.prefix);
  const { schema, table, column } = sealedColumn;
  return { schema, table, column, done, unreadable: last.unreadable, left };
}

/**
 * Seals every stored text with the first key of the ring that was sealed with another one, while services run. Each
 * row is a statement of its own, so that an interrupted run is continued by another one.
 */
export async function reencrypt(
  databases: Record<Schema, Database>,
  encryption: Encryption,
  onColumn: (result: Reencrypted) => void = () => {},
): Promise<Reencrypted[]> {
  const results: Reencrypted[] = [];
  for (const sealedColumn of sealedColumns) {
    const result = await reencryptColumn(databases[sealedColumn.schema], sealedColumn, encryption);
    onColumn(result);
    results.push(result);
  }
  return results;
}
