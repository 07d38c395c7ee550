import { collectList, unfinishedLists } from '../../db/outreach/audiences/collecting.ts';
import type { OutreachDeps } from './deps.ts';

/** A page takes seconds: whoever has added none for so long has died. */
const LEFT_AFTER_MS = 60_000;

const AT_ONCE = 5;

/** Continues lists whose process died while it filled them. They go on after the call has returned. */
export function createListContinuation({ database, log, now }: OutreachDeps): () => Promise<void> {
  const underWay = new Set<string>();
  return async () => {
    const before = new Date(now().getTime() - LEFT_AFTER_MS);
    for (const audienceId of await unfinishedLists(database, { before, limit: AT_ONCE })) {
      if (underWay.has(audienceId)) continue;
      underWay.add(audienceId);
      void collectList(database, audienceId, now)
        .then(
          () => log.info({ audienceId }, 'filled a list that had been left'),
          (error: unknown) =>
            log.warn({ err: error, audienceId }, 'filling a list stopped; the sweep will continue it'),
        )
        .finally(() => underWay.delete(audienceId));
    }
  };
}
