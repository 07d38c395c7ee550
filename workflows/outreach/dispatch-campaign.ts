import {
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { DispatchPlan, RangeResult } from '#activities/outreach/sends/dispatch.ts';
import type { OutreachActivities } from '#activities/outreach/index.ts';
import { activityProfiles } from '#temporal.config.ts';
import {
  dispatchWakeSignal,
  type DispatchCampaignInput,
  type DispatchCampaignResult,
} from '../contracts/dispatch-campaign.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';
import { timeLeft } from './time-left.ts';

const { planDispatch } = proxyActivities<OutreachActivities>({
  ...activityProfiles.database,
  summary: 'plans the rest of the send',
});
const { watchCampaign } = proxyActivities<OutreachActivities>({
  ...activityProfiles.remote,
  summary: 'starts following the campaign',
});
const { prepareEntrySource } = proxyActivities<OutreachActivities>({
  ...activityProfiles.remote,
  summary: 'entry source (F1)',
});
const { freezeAudience } = proxyActivities<OutreachActivities>({
  ...activityProfiles.drain,
  summary: 'freezes the audience',
});
const { submitBroadcasts } = proxyActivities<OutreachActivities>(activityProfiles.drain);

/** Number of ranges submitted concurrently; each makes its own calls in parallel. */
const parallelRanges = 5;

async function submitRanges(input: DispatchCampaignInput, ranges: DispatchPlan['ranges']): Promise<RangeResult[]> {
  const { tenantId, dispatchId } = input;
  const results: RangeResult[] = [];
  const queue = ranges.values();
  const lane = async () => {
    for (const range of queue) {
      const summary = `sub-tasks ${range.from} to ${range.to} (A1)`;
      results.push(await submitBroadcasts.executeWithOptions({ summary }, [{ tenantId, dispatchId, ...range }]));
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallelRanges, ranges.length) }, lane));
  return results;
}

/** Milliseconds until the earliest of their times; null if there are none. */
function untilFirst(results: RangeResult[]): number | null {
  const waits = results.flatMap(({ waitUntil, waitMs }) => (waitUntil === null ? [] : [timeLeft(waitUntil, waitMs)]));
  return waits.length === 0 ? null : Math.max(Math.min(...waits), 100);
}

const counted = (count: number, what: string) => `${count.toLocaleString('en')} ${count === 1 ? what : `${what}s`}`;

/** What staff read once the run has ended. */
function endDetails({ status, unsettled, unknown = { tasks: 0, contacts: 0 } }: DispatchPlan): string {
  const left = unsettled === 0 ? null : `The campaign is ${status}; ${counted(unsettled, 'sub-task')} held back.`;
  if (unknown.tasks === 0) return left ?? 'Everything is submitted.';
  const unclear =
    `The outcome of ${counted(unknown.tasks, 'sub-task')} (${counted(unknown.contacts, 'contact')}) is unknown: ` +
    'nothing is sent again until the platform or staff say what became of them. The campaign in the console lists their keys.';
  return left === null ? `No sub-task is left to submit. ${unclear}` : `${left} ${unclear}`;
}

/**
 * Submits every sub-task of one send. Each round plans from the rows until nothing is left to send, so that
 * sub-tasks that were split off, deferred or left behind by a dead process are picked up again.
 */
export async function dispatchCampaign(input: DispatchCampaignInput): Promise<DispatchCampaignResult> {
  let awake = false;
  const description = 'Reads the rows now: the campaign was resumed or otherwise changed.';
  const wake = () => {
    awake = true;
  };
  setHandler(dispatchWakeSignal, wake, { description });
  setCurrentDetails('Checking what is left to submit.');
  const watching = watchCampaign({ tenantId: input.tenantId, campaignId: input.campaignId });
  // Awaited at the end; until then a cancellation must not count as an unhandled rejection.
  watching.catch(() => undefined);
  for (;;) {
    awake = false;
    const plan = await planDispatch(input);
    const { status, freezeAt, ranges, unsettled, needsSource } = plan;
    if (freezeAt) {
      const wait = Date.parse(freezeAt) - Date.now();
      setCurrentDetails(wait > 0 ? `The audience is resolved at ${freezeAt}.` : 'Freezing the audience.');
      if (wait > 0) await condition(() => awake, wait, { summary: 'until the audience is resolved' });
      else await freezeAudience(input);
      continue;
    }
    if (needsSource) {
      await prepareEntrySource(input);
      continue;
    }
    upsertSearchAttributes([{ key: bizStatusAttribute, value: status }]);
    if (ranges.length === 0) {
      // A signal received in the meantime may mean that the campaign was resumed.
      if (awake) continue;
      await watching;
      if (awake) continue;
      setCurrentDetails(endDetails(plan));
      return { heldBack: unsettled };
    }
    setCurrentDetails(`Submitting ${counted(unsettled, 'sub-task')}.`);
    const wait = untilFirst(await submitRanges(input, ranges));
    if (wait !== null) {
      setCurrentDetails(`The next sub-task is due at ${new Date(Date.now() + wait).toISOString()}.`);
      await condition(() => awake, wait, { summary: 'until the next sub-task is due' });
    }
    if (workflowInfo().continueAsNewSuggested) {
      await watching;
      await continueAsNew<typeof dispatchCampaign>(input);
    }
  }
}
