import { runDueRepeat } from '#commands/outreach/repeats/run-due-repeat.ts';
import { comingTimes, noteScheduled, overdueRepeats, staleSchedules } from '#db/outreach/repeats/schedules.ts';
import type { RepeatKey } from '#db/outreach/repeats/repeats.ts';
import type { OutreachDeps } from '../deps.ts';
import { forEachAlone } from '../each-alone.ts';
import { wakeEvaluators } from '../sends/drive.ts';

type RepeatDeps = Pick<OutreachDeps, 'database' | 'launcher' | 'log' | 'now'>;

/** Longer than a Schedule and its workflow take to begin a run. */
const OVERDUE_AFTER_MS = 30_000;

const AT_ONCE = 200;

/** Executes the due runs of a repeat, and starts their sends. */
async function runDue({ database, launcher, log, now }: RepeatDeps, key: RepeatKey): Promise<{ sends: number }> {
  let sends = 0;
  for (;;) {
    const { send, more } = await runDueRepeat(database, key, now());
    if (send) {
      sends += 1;
      const { variants, steps, dispatchId, number, ...sent } = send;
      const campaign = { tenantId: key.tenantId, ...sent };
      try {
        await launcher.dispatch({ ...campaign, dispatchId, number }, { wake: true });
        await wakeEvaluators({ launcher }, { ...campaign, variants, steps });
      } catch (error) {
        log.warn({ err: error, campaignId: send.campaignId }, 'a send could not be started; the sweep will start it');
      }
    }
    if (!more) return { sends };
  }
}

/** Syncs the Schedule of a repeat with its row. */
export async function scheduleRepeat(
  { database, launcher }: Pick<RepeatDeps, 'database' | 'launcher'>,
  key: RepeatKey,
): Promise<{ times: number }> {
  const times = await comingTimes(database, key);
  await launcher.repeatSchedule(key, times);
  await noteScheduled(database, key, times);
  return { times: times.length };
}

export function createRepeatActivities(deps: RepeatDeps) {
  return {
    /** Safe to repeat: a wall time has one run. */
    runDueRepeat: ({ tenantId, repeatId }: RepeatKey) => runDue(deps, { tenantId, repeatId }),
    /** Rewrites the Schedule from the row; one without times is deleted. */
    renewRepeatSchedule: ({ tenantId, repeatId }: RepeatKey) => scheduleRepeat(deps, { tenantId, repeatId }),
  };
}

/** Starts runs whose Schedule is lost or late, and rewrites Schedules that differ from their rows. */
export function createRepeatSweep(deps: RepeatDeps): () => Promise<void> {
  const { database, launcher, log, now } = deps;
  return async () => {
    const before = new Date(now().getTime() - OVERDUE_AFTER_MS);
    const overdue = await overdueRepeats(database, { before, limit: AT_ONCE });
    await forEachAlone(deps, overdue, async (key) => {
      if ((await launcher.repeat(key)) === 'started')
        log.warn({ repeatId: key.repeatId }, 'a repeat was overdue; the sweep began its run');
    });
    const stale = await staleSchedules(database, { limit: AT_ONCE });
    await forEachAlone(deps, stale, async (key) => void (await scheduleRepeat(deps, key)));
  };
}
