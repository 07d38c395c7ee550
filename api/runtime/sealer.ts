import { setTimeout as wait } from 'node:timers/promises';
import { sealAudit } from '#db/audit-chain/seal.ts';
import type { Database } from '#db/database.ts';
import { notingSome } from '#db/recurring/runs.ts';
import { SEALER } from '#domain/recurring/sweep.ts';
import type { Logger } from './logger.ts';
import type { Polling } from './temporal.ts';

const SEAL_EVERY_MS = 5000;

/**
 * Seals new audit entries every five seconds until it is shut down. The ends of the chains that grew are logged: whoever
 * rewrites a chain in the database does not rewrite the log.
 */
export function createSealer({ database, logger }: { database: Database; logger: Logger }): Polling {
  const stopping = new AbortController();
  const noting = notingSome(database, SEALER);
  /** Whether there may be more. */
  async function seal(): Promise<boolean> {
    try {
      const chains = await noting(() => sealAudit(database));
      if (chains.length > 0) logger.info({ chains }, 'audit entries sealed');
      return chains.length > 0;
    } catch (error) {
      logger.warn({ err: error }, 'audit entries could not be sealed; trying again');
      return false;
    }
  }
  return {
    async run() {
      while (!stopping.signal.aborted) {
        if (await seal()) continue;
        await wait(SEAL_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {});
      }
    },
    shutdown: () => stopping.abort(),
  };
}
