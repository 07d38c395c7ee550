import { forEachLimited } from './concurrency.ts';
import type { OutreachDeps } from './deps.ts';

/** gRPC's DEADLINE_EXCEEDED and UNAVAILABLE. */
const AWAY = new Set<unknown>([4, 14]);

/** Whether the workflow server did not respond: then no other item will fare better. */
function isServerAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && AWAY.has(error.code)) || isServerAway(error.cause);
}

/**
 * Runs `work` on every item, whichever fails: one that cannot be started keeps no other from it. What failed is logged, and is
 * tried again by the next sweep.
 * @throws if the workflow server is away.
 */
export function forEachAlone<Item>(
  { log }: Pick<OutreachDeps, 'log'>,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  return forEachLimited(items, 10, async (item) => {
    try {
      await work(item);
    } catch (error) {
      if (isServerAway(error)) throw error;
      log.warn({ err: error, item }, 'the sweep could not start something; the next one tries again');
    }
  });
}

/** Runs every part, whichever fails. @throws what the first of them threw, once all have run. */
export async function runParts(
  { log }: Pick<OutreachDeps, 'log'>,
  parts: readonly (() => Promise<void>)[],
): Promise<void> {
  const failures: unknown[] = [];
  for (const part of parts)
    await part().catch((error: unknown) => {
      log.warn({ err: error }, 'a part of the sweep failed; the others go on');
      failures.push(error);
    });
  if (failures.length > 0) throw failures[0];
}
