import { buildReach, sendsWithoutReach } from '#db/outreach/audiences/segments/reach-blocks.ts';
import type { OutreachDeps } from './deps.ts';

const AT_ONCE = 20;

/** What a sweep spends on sets; the next one continues. */
const LONGEST_MS = 5000;

/**
 * Builds the sets of contacts that large sends reached, one after the other: segments are counted from them, and unfold
 * the send's lists until they are there.
 */
export function createReachBuilder({ database, log, now }: Pick<OutreachDeps, 'database' | 'log' | 'now'>) {
  return async (): Promise<void> => {
    const until = now().getTime() + LONGEST_MS;
    for (const dispatchId of await sendsWithoutReach(database, { now: now(), limit: AT_ONCE })) {
      if (now().getTime() > until) return;
      await buildReach(database, dispatchId, now()).then(
        (built) => log.info({ dispatchId, built }, 'built the reach of a large send'),
        (error: unknown) =>
          log.warn({ err: error, dispatchId }, 'a set of contacts was not built; the sweep will try again'),
      );
    }
  };
}
