import { createHealth, type Health, type ReadinessCheck } from '../http/health.ts';
import type { Parts } from './parts.ts';

export interface ServiceChecks {
  database: ReadinessCheck;
  temporal: ReadinessCheck;
  /** Of this process, see `isPolling`. */
  pollers: ReadinessCheck;
  /** Whether the database was started elsewhere: such a worker would send nothing. */
  adoption?: ReadinessCheck;
  /** Without it, people with a session go on and nobody signs in. */
  identity?: ReadinessCheck;
}

/**
 * What `/readyz` asks of a process. An API needs its database alone: it stores what comes, and workers do the rest once they
 * can. So it names what else is missing, and goes on getting requests, also where the same process is a worker. A process that
 * is only a worker is ready while it works.
 */
export function createServiceHealth({ api, worker }: Parts, given: ServiceChecks): Health {
  const { database, temporal, pollers, adoption, identity } = given;
  const working = { temporal, ...(worker && { pollers, ...(adoption && { adoption }) }) };
  return api
    ? createHealth({ database }, { ...working, ...(identity && { identity }) })
    : createHealth({ database, ...working });
}
