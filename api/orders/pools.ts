import type { TimeLimits } from '#db/connection.ts';
import { openPools as open, type PoolOptions, type Pools } from '#db/pools.ts';

/**
 * `api`: requests, so that a burst of them cannot stop payments. `worker`: activities. `relay`: events for merchants: however
 * many end at once, payments do not wait.
 */
type Name = 'api' | 'worker' | 'relay';

/**
 * No row is locked for longer than a few statements take, so whoever waits 2 s for one waits behind something that
 * hangs, and gives its connection back to the others. Nobody waits longer than 10 s for a response.
 */
const apiLimits: TimeLimits = { lockMs: 2000, statementMs: 10_000, idleInTransactionMs: 10_000 };

/** Activities are repeated, and those of a sweep or a reconciliation read more. */
const workerLimits: TimeLimits = { ...apiLimits, statementMs: 20_000 };

export const poolSizes: Record<Name, PoolOptions> = {
  api: { max: 10, limits: apiLimits },
  worker: { max: 10, limits: workerLimits },
  relay: { max: 4, limits: workerLimits },
};

export const openPools = (url: string): Pools<Name> => open({ url, schema: 'orders', service: 'orders' }, poolSizes);
