import { proxyActivities } from '@temporalio/workflow';
import type { OutreachActivities } from '../../activities/outreach/index.ts';
import { activityProfiles } from '../../temporal.config.ts';
import type { SweepOutreachResult } from '../contracts/sweep-outreach.ts';
import type { SweepRounds } from '../contracts/sweep-rounds.ts';
import { sweepInRounds } from '../sweep-rounds.ts';

// The next round comes soon, so a round that cannot finish must not block it.
const { sweepOutreachRows } = proxyActivities<OutreachActivities>({
  ...activityProfiles.database,
  scheduleToCloseTimeout: '1 minute',
});

/** Restarts what should be running according to the rows. Null if no round finished. */
export async function sweepOutreach(rounds?: SweepRounds): Promise<SweepOutreachResult | null> {
  return sweepInRounds(rounds, {
    round: () => sweepOutreachRows(),
    tell: (found) =>
      `Restarted ${found.dispatches} sends, ${found.polls} polls, ${found.partitions} inbox partitions, ` +
      `${found.closings} closings, ${found.sourceUpdates} entry source updates.`,
  });
}
