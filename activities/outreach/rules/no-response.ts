import { findDueSubTasks } from '#db/outreach/rules/no-response.ts';
import { tagUnresponsive } from '#commands/outreach/rules/tag-unresponsive.ts';
import { withHeartbeat } from '../concurrency.ts';
import type { AsOf, OutreachDeps } from '../deps.ts';

/** Each has at most 1,000 contacts. */
const SUB_TASKS_PER_BATCH = 50;

export interface ScanBatch {
  scanned: number;
  tagged: number;
  /** There is more to do at the same `now`. */
  more: boolean;
}

async function scan({ database }: OutreachDeps, now: Date, cancelled: AbortSignal): Promise<ScanBatch> {
  const due = await findDueSubTasks(database, { now, limit: SUB_TASKS_PER_BATCH });
  let scanned = 0;
  let tagged = 0;
  for (const subTask of due) {
    if (cancelled.aborted) break;
    const given = await tagUnresponsive(database, subTask, now);
    if (given === null) continue;
    scanned += 1;
    tagged += given;
  }
  // If nothing in a full batch could be done, the next call would find the same sub-tasks.
  return { scanned, tagged, more: due.length === SUB_TASKS_PER_BATCH && scanned > 0 };
}

export function createNoResponseActivities(deps: OutreachDeps) {
  return {
    /** Applies no-response rules to some of the due sub-tasks, each in its own transaction. */
    scanNoResponseBatch: ({ now }: AsOf): Promise<ScanBatch> =>
      withHeartbeat((cancelled) => scan(deps, new Date(now), cancelled)),
  };
}
