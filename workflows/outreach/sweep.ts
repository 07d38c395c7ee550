import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { OutreachActivities } from '../../activities/outreach/index.ts';
import { activityProfiles } from '../../temporal.config.ts';
import type { SweepOutreachResult } from '../contracts/sweep-outreach.ts';

// The next sweep comes soon; one that cannot finish must not stand in its way.
const { sweepOutreachRows } = proxyActivities<OutreachActivities>({
  ...activityProfiles.database,
  scheduleToCloseTimeout: '1 minute',
});

/** Starts again what the rows say should be running. */
export async function sweepOutreach(): Promise<SweepOutreachResult> {
  const found = await sweepOutreachRows();
  setCurrentDetails(
    `Started again: ${found.dispatches} sends, ${found.polls} polls, ${found.partitions} partitions of the inbox, ` +
      `${found.closings} closings, ${found.sourceUpdates} updates of entry sources.`,
  );
  return found;
}
