import { proxyActivities } from '@temporalio/workflow';
import type { OutreachActivities } from '../../activities/outreach/index.ts';
import { activityProfiles } from '../../temporal.config.ts';
import type { SweepOutreachResult } from '../contracts/sweep-outreach.ts';
import type { SweepRounds } from '../contracts/sweep-rounds.ts';
import { sweepInRounds } from '../sweep-rounds.ts';

// The next round comes soon; one that cannot finish must not stand in its way.
const { sweepOutreachRows } = proxyActivities<OutreachActivities>({
  ...activityProfiles.database,
  scheduleToCloseTimeout: '1 minute',
});

/** Starts again what the rows say should be running. Null where no round could be finished. */
export async function sweepOutreach(rounds?: SweepRounds): Promise<SweepOutreachResult | null> {
  return sweepInRounds(rounds, {
    round: () => sweepOutreachRows(),
    tell: (found) =>
      `Started again: ${found.dispatches} sends, ${found.polls} polls, ${found.partitions} partitions of the inbox, ` +
      `${found.closings} closings, ${found.sourceUpdates} updates of entry sources.`,
  });
}
