import { erase } from '#commands/outreach/erasure/erase.ts';
import { unfinishedErasures } from '#db/outreach/erasure/erasures.ts';
import type { OutreachDeps } from './deps.ts';

/** The call that began it has either finished by then, or its process has died. */
const LEFT_AFTER_MS = 600_000;

const AT_ONCE = 5;

/**
 * Continues erasures whose process died. They go on after the call has returned: looking for a person in all that a
 * tenant has received can take minutes.
 */
export function createErasureContinuation({ database, encryption, log, now }: OutreachDeps): () => Promise<void> {
  const underWay = new Set<string>();
  return async () => {
    const before = new Date(now().getTime() - LEFT_AFTER_MS);
    for (const erasure of await unfinishedErasures(database, encryption, { before, limit: AT_ONCE })) {
      const { erasureId } = erasure;
      if (underWay.has(erasureId)) continue;
      underWay.add(erasureId);
      void erase(database, encryption, erasure, now)
        .then(
          () => log.info({ erasureId }, 'finished an erasure that had been left'),
          (error: unknown) => log.warn({ err: error, erasureId }, 'an erasure stopped; the sweep will continue it'),
        )
        .finally(() => underWay.delete(erasureId));
    }
  };
}
