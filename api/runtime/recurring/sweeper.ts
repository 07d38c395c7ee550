import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '#db/database.ts';
import { noteEnd, noteStart } from '#db/recurring/runs.ts';
import { inTurn } from '#db/turn.ts';
import { SWEEP } from '#domain/recurring/sweep.ts';
import type { Logger } from '../logger.ts';
import type { Polling } from '../temporal.ts';

export interface SweeperOptions {
  /** The same for every process of the service. */
  name: string;
  database: Database;
  logger: Logger;
  everyMs: number;
  /** A round that takes longer no longer keeps the next one from its time. */
  longestMs?: number;
  /** Restarts what should be running according to the rows; safe to repeat. */
  round(): Promise<unknown>;
}

/** Shorter than the time that a process has to end. */
const LONGEST_MS = 20_000;

/**
 * Sweeps when it starts and then every `everyMs`, in one process of the service at a time, until it is shut down. Rounds
 * of a workflow would do the same for two actions of the workflow server each: 28,800 on a day on which nothing happens.
 * When a round last began and came to its end is a row (`db/recurring/runs.ts`).
 */
export function createSweeper({
  name,
  database,
  logger,
  everyMs,
  longestMs = LONGEST_MS,
  round,
}: SweeperOptions): Polling {
  const stopping = new AbortController();
  async function sweep(): Promise<void> {
    try {
      await inTurn(database, name, async () => {
        await noteStart(database, SWEEP);
        await round();
        await noteEnd(database, SWEEP);
      });
    } catch (error) {
      logger.warn({ err: error, sweep: name }, 'a sweep failed; the next one tries again');
    }
  }
  async function sweepOnce(): Promise<void> {
    const late = new AbortController();
    const overdue = wait(longestMs, 'overdue', { signal: late.signal }).catch(() => 'done');
    const ended = await Promise.race([sweep(), overdue]);
    late.abort();
    if (ended === 'overdue') logger.warn({ sweep: name }, 'a sweep takes long; the next one does not wait for it');
  }
  return {
    async run() {
      while (!stopping.signal.aborted) {
        await sweepOnce();
        await wait(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
      }
    },
    shutdown: () => stopping.abort(),
  };
}
