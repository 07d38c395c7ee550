import knex, { type Knex } from 'knex';
import { knexSnakeCaseMappers } from 'objection';
import { types } from 'pg';
import { untilReadOnly } from './read-only.ts';

/** One schema per service; the backend's is named after its domain. */
export const schemas = ['bff', 'outreach', 'orders'] as const;
export type Schema = (typeof schemas)[number];

/** Counts and sums are returned as numbers: all our bigints stay far below 2^53, so anything larger is a bug. */
function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} exceeds the safe integer range`);
  return value;
}

types.setTypeParser(types.builtins.INT8, parseBigint);
// A calendar day has no time zone: as a Date it would shift with the machine's.
types.setTypeParser(types.builtins.DATE, (text) => text);

export interface ConnectionOptions {
  /** The role's address: postgres://role:password@host:port/database. */
  url: string;
  /** The schema in which unqualified names are resolved; nothing else is on the search path. */
  schema: Schema;
  /** Shown to operators in pg_stat_activity, for example `backend-worker`. */
  applicationName: string;
  pool?: { min?: number; max?: number };
  limits?: TimeLimits;
  /** Every statement looks up rows by their keys, however small the planner believes their tables to be. */
  byKey?: boolean;
}

/** Server-side timeouts in milliseconds, so that a hanging request blocks nobody. */
export interface TimeLimits {
  /** A statement that waits for a lock: SQLSTATE 55P03. */
  lockMs: number;
  /** A statement: 57014. */
  statementMs: number;
  /** A transaction in which nothing happens: 25P03, and its connection is closed. */
  idleInTransactionMs: number;
}

const mappers = knexSnakeCaseMappers();

/** Converts column names to camelCase, including those of raw statements. */
function renameColumns(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || !('rows' in result)) return mappers.postProcessResponse(result);
  return Object.assign(result, { rows: mappers.postProcessResponse(result.rows) });
}

/**
 * A connection pool for one schema. Columns are snake_case in SQL and camelCase in every row. A `bigint` is returned
 * as a number, a `date` as `YYYY-MM-DD`, a `timestamptz` as a Date. The pool connects on the first query; waiting
 * longer than 5 s for a connection rejects; `isBusy` recognises that, and whatever `limits` ends. Connections to a server
 * that takes no writes are replaced (`read-only.ts`). Close it with `destroy()`.
 */
export function connect({ url, schema, applicationName, pool = {}, limits, byKey = false }: ConnectionOptions): Knex {
  return knex({
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: applicationName,
      keepAlive: true,
      // A plan that was made for an empty table is kept while it grows.
      ...(byKey && { options: '-c enable_seqscan=off' }),
      ...(limits && {
        lock_timeout: limits.lockMs,
        statement_timeout: limits.statementMs,
        idle_in_transaction_session_timeout: limits.idleInTransactionMs,
      }),
    },
    searchPath: [schema],
    wrapIdentifier: mappers.wrapIdentifier,
    postProcessResponse: renameColumns,
    pool: { min: pool.min ?? 0, max: pool.max ?? 10, ...untilReadOnly() },
    acquireConnectionTimeout: 5000,
  });
}
