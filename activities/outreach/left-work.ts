import { collectList, unfinishedLists } from '../../db/outreach/audiences/collecting.ts';
import { tagContacts, unfinishedTaggings } from '../../db/outreach/outcomes/tagging.ts';
import type { OutreachDeps } from './deps.ts';

/** A page takes seconds: whoever has added none for so long has died. */
const LEFT_AFTER_MS = 60_000;

const AT_ONCE = 5;

type LeftWorkDeps = Pick<OutreachDeps, 'database' | 'log' | 'now'>;

interface PagedWork {
  /** As the log names it. */
  what: string;
  /** The ids of what nobody has gone on with since `before`. */
  left(given: { before: Date; limit: number }): Promise<string[]>;
  goOn(id: string): Promise<void>;
}

/** Continues work whose process died between two of its pages. It goes on after the call has returned. */
function createContinuation({ log, now }: LeftWorkDeps, { what, left, goOn }: PagedWork): () => Promise<void> {
  const underWay = new Set<string>();
  return async () => {
    const before = new Date(now().getTime() - LEFT_AFTER_MS);
    for (const id of await left({ before, limit: AT_ONCE })) {
      if (underWay.has(id)) continue;
      underWay.add(id);
      void goOn(id)
        .then(
          () => log.info({ id }, `${what} had been left; it is complete now`),
          (error: unknown) => log.warn({ err: error, id }, `${what} stopped; the sweep will continue it`),
        )
        .finally(() => underWay.delete(id));
    }
  };
}

/** Continues lists that are filled with contacts of a campaign, and tags that are given to them. */
export function createLeftWorkContinuations(deps: LeftWorkDeps): (() => Promise<void>)[] {
  const { database, now } = deps;
  return [
    createContinuation(deps, {
      what: 'filling a list',
      left: (given) => unfinishedLists(database, given),
      goOn: (audienceId) => collectList(database, audienceId, now),
    }),
    createContinuation(deps, {
      what: 'tagging contacts',
      left: (given) => unfinishedTaggings(database, given),
      goOn: (taggingId) => tagContacts(database, taggingId, { now, onAssigned: () => {} }),
    }),
  ];
}
