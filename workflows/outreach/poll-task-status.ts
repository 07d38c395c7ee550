import {
  CancellationScope,
  continueAsNew,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { OutreachActivities } from '#activities/outreach/index.ts';
import type { PollResult } from '#activities/outreach/sends/poll.ts';
import { activityProfiles } from '#temporal.config.ts';
import { pollWakeSignal, type PollTaskStatusInput, type PollTaskStatusResult } from '../contracts/poll-task-status.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';

// Waiting is a retry whose delay the activity chooses: it adds no history events, however often it polls.
const { pollTasks } = proxyActivities<OutreachActivities>({
  ...activityProfiles.drain,
  retry: { ...activityProfiles.drain.retry, maximumInterval: '1 minute' },
  summary: 'polls tasks (A2); waits by retrying',
});

/**
 * Follows a campaign's tasks on the platform until nothing more can change: to their end, and a day longer for
 * reads. The activity ends when the campaign's status changes; a signal cuts its wait short.
 */
export async function pollTaskStatus(input: PollTaskStatusInput): Promise<PollTaskStatusResult> {
  const { tenantId, campaignId } = input;
  let status = input.status ?? null;
  let asking: CancellationScope | undefined;
  let awake = false;
  const wake = () => {
    awake = true;
    asking?.cancel();
  };
  const description = 'Polls the platform now, whatever it was waiting for.';
  setHandler(pollWakeSignal, wake, { description });
  setCurrentDetails(status === null ? 'Polling the platform for the tasks.' : `The campaign is ${status}.`);
  for (;;) {
    awake = false;
    asking = new CancellationScope();
    let result: PollResult;
    try {
      result = await asking.run(() => pollTasks({ tenantId, campaignId, status }));
    } catch (error) {
      if (awake && isCancellation(error) && !CancellationScope.current().consideredCancelled) continue;
      throw error;
    }
    if (result.status !== null && result.status !== status) {
      status = result.status;
      upsertSearchAttributes([{ key: bizStatusAttribute, value: status }]);
      setCurrentDetails(`The campaign is ${status}.`);
    }
    if (result.done && !awake) return { status };
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof pollTaskStatus>({ tenantId, campaignId, status });
    }
  }
}
