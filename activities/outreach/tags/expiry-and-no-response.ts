import { findDueSubTasks, tagUnresponsive } from '../../../db/outreach/rules/no-response.ts';
import { expireTags } from '../../../db/outreach/tags/expiry.ts';
import { withHeartbeat } from '../concurrency.ts';
import type { OutreachDeps } from '../deps.ts';

const tagsAtOnce = 500;
/** At most 1,000 contacts each. */
const subTasksAtOnce = 50;

/** `now` is the workflow's time, ISO 8601: a run that is repeated decides as it did before. */
export interface AsOf {
  now: string;
}

export interface ScanBatch {
  scanned: number;
  tagged: number;
  /** More is to be done at the same `now`. */
  more: boolean;
}

async function scan({ database }: OutreachDeps, now: Date, cancelled: AbortSignal): Promise<ScanBatch> {
  const due = await findDueSubTasks(database, { now, limit: subTasksAtOnce });
  let scanned = 0;
  let tagged = 0;
  for (const subTask of due) {
    if (cancelled.aborted) break;
    const given = await tagUnresponsive(database, subTask, now);
    if (given === null) continue;
    scanned += 1;
    tagged += given;
  }
  // Where nothing of a full batch could be done, the next look would find the same.
  return { scanned, tagged, more: due.length === subTasksAtOnce && scanned > 0 };
}

export function createTagFlowActivities(deps: OutreachDeps) {
  return {
    /** Marks some of the tags whose time had passed. May be repeated. */
    expireTagsBatch: async ({ now }: AsOf): Promise<{ expired: number; more: boolean }> => {
      const expired = await expireTags(deps.database, { now: new Date(now), limit: tagsAtOnce });
      return { expired, more: expired === tagsAtOnce };
    },

    /** Applies no-response rules to some of the sub-tasks that are due, each in a transaction of its own. */
    scanNoResponseBatch: ({ now }: AsOf): Promise<ScanBatch> =>
      withHeartbeat((cancelled) => scan(deps, new Date(now), cancelled)),
  };
}
