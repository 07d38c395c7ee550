import knex, { type Knex } from 'knex';
import { knexSnakeCaseMappers } from 'objection';
import { types } from 'pg';

/** One schema a service; the backend's is called after its domain. */
export const schemas = ['bff', 'outreach', 'orders'] as const;
export type Schema = (typeof schemas)[number];

/** Counts and sums come as numbers: every bigint of ours stays far below 2^53, and anything beyond is a defect. */
function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a number`);
  return value;
}

types.setTypeParser(types.builtins.INT8, parseBigint);
// A calendar day has no zone: as a Date it would move with the machine's.
types.setTypeParser(types.builtins.DATE, (text) => text);

export interface ConnectionOptions {
  /** The role's address: postgres://role:password@host:port/database. */
  url: string;
  /** Where unqualified names are looked up; nothing else is on the search path. */
  schema: Schema;
  /** What staff see in pg_stat_activity, for instance `backend-worker`. */
  applicationName: string;
  pool?: { min?: number; max?: number };
}

const mappers = knexSnakeCaseMappers();

/** Names rows in camelCase, those of raw statements too. */
function renameColumns(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || !('rows' in result)) return mappers.postProcessResponse(result);
  return Object.assign(result, { rows: mappers.postProcessResponse(result.rows) });
}

/**
 * A pool of connections to one schema. Columns are snake_case in SQL and camelCase in every row. `bigint` comes as a number, `date` as `YYYY-MM-DD`, `timestamptz` as Date.
 * It connects at the first query; waiting longer than 5 s for a connection rejects. End it with `destroy()`.
 */
export function connect({ url, schema, applicationName, pool = {} }: ConnectionOptions): Knex {
  return knex({
    client: 'pg',
    connection: { connectionString: url, application_name: applicationName, keepAlive: true },
    searchPath: [schema],
    wrapIdentifier: mappers.wrapIdentifier,
    postProcessResponse: renameColumns,
    pool: { min: pool.min ?? 0, max: pool.max ?? 10 },
    acquireConnectionTimeout: 5000,
  });
}
