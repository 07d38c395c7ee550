import { collectList } from '#commands/outreach/audiences/collect-list.ts';
import { unfinishedLists } from '#db/outreach/audiences/collecting.ts';
import { tagContacts } from '#commands/outreach/outcomes/tag-contacts.ts';
import { unfinishedTaggings } from '#db/outreach/outcomes/tagging.ts';
import type { OutreachDeps } from './deps.ts';

/** A page takes seconds: a process that has added none for so long has died. */
const LEFT_AFTER_MS = 60_000;

const AT_ONCE = 5;

type LeftWorkDeps = Pick<OutreachDeps, 'database' | 'log' | 'now'>;

interface PagedJob {
  /** As the log names it. */
  what: string;
  /** Ids of jobs without progress since `before`. */
  left(given: { before: Date; limit: number }): Promise<string[]>;
  resume(id: string): Promise<void>;
}

/** Resumes jobs whose process died between two pages. They continue after the call has returned. */
function createResumer({ log, now }: LeftWorkDeps, { what, left, resume }: PagedJob): () => Promise<void> {
  const underWay = new Set<string>();
  return async () => {
    const before = new Date(now().getTime() - LEFT_AFTER_MS);
    for (const id of await left({ before, limit: AT_ONCE })) {
      if (underWay.has(id)) continue;
      underWay.add(id);
      void resume(id)
        .then(
          () => log.info({ id }, `${what} was abandoned; it is complete now`),
          (error: unknown) => log.warn({ err: error, id }, `${what} stopped; the sweep will resume it`),
        )
        .finally(() => underWay.delete(id));
    }
  };
}

/** Resumes filling lists with contacts of a campaign, and tagging them. */
export function createJobResumers(deps: LeftWorkDeps): (() => Promise<void>)[] {
  const { database, now } = deps;
  return [
    createResumer(deps, {
      what: 'filling a list',
      left: (given) => unfinishedLists(database, given),
      resume: (audienceId) => collectList(database, audienceId, now),
    }),
    createResumer(deps, {
      what: 'tagging contacts',
      left: (given) => unfinishedTaggings(database, given),
      resume: (taggingId) => tagContacts(database, taggingId, { now, onAssigned: () => {} }),
    }),
  ];
}
