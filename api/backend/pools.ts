import { connect, type TimeLimits } from '../../db/connection.ts';
import type { Database } from '../../db/database.ts';

/** The connections of this service, apart by who uses them: none of them can take those of the others. */
export interface Pools {
  /** Requests of people and of other services. */
  api: Database;
  /** Events that the platform sends. */
  intake: Database;
  /** Activities. */
  worker: Database;
  destroy(): Promise<void>;
}

interface Pool {
  /** Connections. */
  max: number;
  limits: TimeLimits;
  byKey: boolean;
}

/**
 * An API statement may take as long as the BFF waits for a response, since freezing a million contacts is one; nobody
 * waits for a row longer than for a page. Events are inserts of a few milliseconds, and the platform sends again what was
 * not stored; two inserts run at once, each followed by a look at the drains. Activities are repeated, those of retention
 * and erasure go through whole months, and what they wait for is mostly each other.
 */
export const poolSizes: Record<'api' | 'intake' | 'worker', Pool> = {
  api: { max: 20, limits: { lockMs: 10_000, statementMs: 60_000, idleInTransactionMs: 10_000 }, byKey: false },
  intake: { max: 4, limits: { lockMs: 5000, statementMs: 10_000, idleInTransactionMs: 10_000 }, byKey: true },
  worker: { max: 20, limits: { lockMs: 30_000, statementMs: 300_000, idleInTransactionMs: 60_000 }, byKey: false },
};

/** Each connects on its first query, so that a process that only serves or only works opens what it needs. */
export function openPools(url: string): Pools {
  const open = (name: keyof typeof poolSizes): Database => {
    const { max, ...options } = poolSizes[name];
    return connect({ url, schema: 'outreach', applicationName: `backend-${name}`, pool: { max }, ...options });
  };
  const pools = { api: open('api'), intake: open('intake'), worker: open('worker') };
  return {
    ...pools,
    destroy: async () => void (await Promise.all(Object.values(pools).map((pool) => pool.destroy()))),
  };
}
