import { connect, type TimeLimits } from '../../db/connection.ts';
import type { Database } from '../../db/database.ts';

/** The connections of this service, apart by who uses them: a burst of requests cannot stop payments. */
export interface Pools {
  /** Requests. */
  api: Database;
  /** Activities. */
  worker: Database;
  /** Events for merchants: however many end at once, payments do not wait. */
  relay: Database;
  destroy(): Promise<void>;
}

interface Pool {
  /** Connections. */
  max: number;
  limits: TimeLimits;
}

/**
 * No row is locked for longer than a few statements take, so whoever waits 2 s for one waits behind something that
 * hangs, and gives its connection back to the others. Nobody waits longer than 10 s for a response.
 */
const apiLimits: TimeLimits = { lockMs: 2000, statementMs: 10_000, idleInTransactionMs: 10_000 };

/** Activities are repeated, and those of a sweep or a reconciliation read more. */
const workerLimits: TimeLimits = { ...apiLimits, statementMs: 20_000 };

export const poolSizes: Record<'api' | 'worker' | 'relay', Pool> = {
  api: { max: 10, limits: apiLimits },
  worker: { max: 10, limits: workerLimits },
  relay: { max: 4, limits: workerLimits },
};

/** Each connects on its first query, so that a process that only serves or only works opens what it needs. */
export function openPools(url: string): Pools {
  const open = (name: keyof typeof poolSizes): Database => {
    const { max, limits } = poolSizes[name];
    return connect({ url, schema: 'orders', applicationName: `orders-${name}`, pool: { max }, limits });
  };
  const pools = { api: open('api'), worker: open('worker'), relay: open('relay') };
  return {
    ...pools,
    destroy: async () => void (await Promise.all(Object.values(pools).map((pool) => pool.destroy()))),
  };
}
