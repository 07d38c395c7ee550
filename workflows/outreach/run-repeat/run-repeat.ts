import { proxyActivities, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { OutreachActivities } from '#activities/outreach/index.ts';
import { activityProfiles } from '#temporal.config.ts';
import type { RunRepeatInput, RunRepeatResult } from '#workflows/contracts/run-repeat.ts';
import { bizStatusAttribute } from '#workflows/contracts/search-attributes.ts';

const { runDueRepeat } = proxyActivities<OutreachActivities>({
  ...activityProfiles.database,
  // Freezing what fits into one page is part of its transaction.
  startToCloseTimeout: '2 minutes',
  summary: 'sends what is due',
});
const { renewRepeatSchedule } = proxyActivities<OutreachActivities>({
  ...activityProfiles.remote,
  summary: 'writes the coming times into its Schedule',
});

/** Carries out the runs of a repeat that are due, and tells its Schedule the next ones. */
export async function runRepeat({ tenantId, repeatId }: RunRepeatInput): Promise<RunRepeatResult> {
  setCurrentDetails('Sending what is due.');
  const { sends } = await runDueRepeat({ tenantId, repeatId });
  const { times } = await renewRepeatSchedule({ tenantId, repeatId });
  upsertSearchAttributes([{ key: bizStatusAttribute, value: sends > 0 ? 'SENT' : 'NOT_SENT' }]);
  setCurrentDetails(`Sent ${sends} campaigns; the Schedule knows ${times} coming times.`);
  return { sends, times };
}
