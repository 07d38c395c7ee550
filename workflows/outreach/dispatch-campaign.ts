import {
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { DispatchPlan } from '../../activities/outreach/sends/dispatch.ts';
import type { OutreachActivities } from '../../activities/outreach/index.ts';
import { activityProfiles } from '../../temporal.config.ts';
import {
  dispatchWakeSignal,
  type DispatchCampaignInput,
  type DispatchCampaignResult,
} from '../contracts/dispatch-campaign.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';

const { planDispatch } = proxyActivities<OutreachActivities>({
  ...activityProfiles.database,
  summary: 'what is left of the send',
});
const { watchCampaign } = proxyActivities<OutreachActivities>({
  ...activityProfiles.remote,
  summary: 'has the campaign followed',
});
const { prepareEntrySource } = proxyActivities<OutreachActivities>({
  ...activityProfiles.remote,
  summary: 'entry source (F1)',
});
const { submitBroadcasts } = proxyActivities<OutreachActivities>(activityProfiles.drain);

/** Ranges that are submitted at once; each has its own calls in parallel. */
const parallelRanges = 5;

async function submitRanges(input: DispatchCampaignInput, ranges: DispatchPlan['ranges']): Promise<(string | null)[]> {
  const { tenantId, dispatchId } = input;
  const waits: (string | null)[] = [];
  const queue = ranges.values();
  const lane = async () => {
    for (const range of queue) {
      const summary = `sub-tasks ${range.from} to ${range.to} (A1)`;
      const done = await submitBroadcasts.executeWithOptions({ summary }, [{ tenantId, dispatchId, ...range }]);
      waits.push(done.waitUntil);
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallelRanges, ranges.length) }, lane));
  return waits;
}

/** Milliseconds until the first of these times; null without any. */
function untilFirst(waits: (string | null)[]): number | null {
  const times = waits.flatMap((wait) => (wait === null ? [] : [Date.parse(wait)]));
  return times.length === 0 ? null : Math.max(Math.min(...times) - Date.now(), 100);
}

/**
 * Submits every sub-task of one send. Rounds go on until nothing is left that may be sent: each takes what the rows say,
 * so that sub-tasks that were split off, put off or left behind by a dead process are found again.
 */
export async function dispatchCampaign(input: DispatchCampaignInput): Promise<DispatchCampaignResult> {
  let awake = false;
  const description = 'Looks at the rows at once: the campaign was resumed, or changed otherwise.';
  const wake = () => {
    awake = true;
  };
  setHandler(dispatchWakeSignal, wake, { description });
  setCurrentDetails('Looking at what is left to submit.');
  const watching = watchCampaign({ tenantId: input.tenantId, campaignId: input.campaignId });
  // It is awaited at the end; until then a cancellation must not count as unhandled.
  watching.catch(() => undefined);
  for (;;) {
    awake = false;
    const { status, ranges, unsettled, needsSource } = await planDispatch(input);
    if (needsSource) {
      await prepareEntrySource(input);
      continue;
    }
    upsertSearchAttributes([{ key: bizStatusAttribute, value: status }]);
    if (ranges.length === 0) {
      // A signal that came meanwhile may have been the campaign's resumption.
      if (awake) continue;
      await watching;
      setCurrentDetails(
        unsettled === 0
          ? 'Everything is submitted.'
          : `The campaign is ${status}; ${unsettled} sub-tasks are kept back.`,
      );
      return { heldBack: unsettled };
    }
    setCurrentDetails(`${unsettled} sub-tasks are being submitted.`);
    const wait = untilFirst(await submitRanges(input, ranges));
    if (wait !== null) {
      setCurrentDetails(
        `Some sub-tasks were put off by the platform; the next is due at ${new Date(Date.now() + wait).toISOString()}.`,
      );
      await condition(() => awake, wait, { summary: 'until the platform takes more' });
    }
    if (workflowInfo().continueAsNewSuggested) {
      await watching;
      await continueAsNew<typeof dispatchCampaign>(input);
    }
  }
}
