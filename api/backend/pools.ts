import { openPools as open, type PoolOptions, type Pools } from '#db/pools.ts';

/**
 * `api`: requests of people and of other services. `intake`: events that the platform sends. `worker`: activities. `relay`: events
 * for tenants: however many end at once, nothing else waits.
 */
type Name = 'api' | 'intake' | 'worker' | 'relay';

/**
 * An API statement may take as long as the BFF waits for a response, since freezing a million contacts is one; nobody
 * waits for a row longer than for a page. Events are inserts of a few milliseconds, and the platform sends again what was
 * not stored; two inserts run at once, each followed by a look at the drains. Activities are repeated, those of retention
 * and erasure go through whole months, and what they wait for is mostly each other.
 */
export const poolSizes: Record<Name, PoolOptions> = {
  api: { max: 20, limits: { lockMs: 10_000, statementMs: 60_000, idleInTransactionMs: 10_000 } },
  intake: { max: 4, limits: { lockMs: 5000, statementMs: 10_000, idleInTransactionMs: 10_000 }, byKey: true },
  worker: { max: 20, limits: { lockMs: 30_000, statementMs: 300_000, idleInTransactionMs: 60_000 } },
  relay: { max: 4, limits: { lockMs: 2000, statementMs: 20_000, idleInTransactionMs: 10_000 } },
};

export const openPools = (url: string): Pools<Name> => open({ url, schema: 'outreach', service: 'backend' }, poolSizes);
