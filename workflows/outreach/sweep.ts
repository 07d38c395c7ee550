import { proxyActivities, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { OutreachActivities } from '#activities/outreach/index.ts';
import { activityProfiles } from '#temporal.config.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';
import type { SweepOutreachResult } from '../contracts/sweep-outreach.ts';

// The next run comes, so one that cannot finish must not block it.
const { sweepOutreachRows } = proxyActivities<OutreachActivities>({
  ...activityProfiles.database,
  scheduleToCloseTimeout: '1 minute',
});

/**
 * Restarts what should be running according to the rows. The workers do the same every few seconds
 * (`api/backend/main.ts`).
 */
export async function sweepOutreach(): Promise<SweepOutreachResult> {
  const found = await sweepOutreachRows();
  setCurrentDetails(
    `Restarted ${found.dispatches} sends, ${found.polls} polls, ${found.partitions} inbox partitions, ` +
      `${found.closings} closings, ${found.sourceUpdates} entry source updates, ${found.variantTests} tests of variants.`,
  );
  upsertSearchAttributes([{ key: bizStatusAttribute, value: 'SWEPT' }]);
  return found;
}
