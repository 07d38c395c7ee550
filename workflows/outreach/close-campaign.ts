import { proxyActivities, setCurrentDetails, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import type { OutreachActivities } from '#activities/outreach/index.ts';
import type { CampaignStatus } from '#domain/api/campaign.ts';
import { activityProfiles } from '#temporal.config.ts';
import { closeWakeSignal, type CloseCampaignInput, type CloseCampaignResult } from '../contracts/close-campaign.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';

const { closeWhenEnded } = proxyActivities<OutreachActivities>({
  ...activityProfiles.database,
  summary: 'closes it if its end has passed',
});
const { endEntrySources } = proxyActivities<OutreachActivities>({
  ...activityProfiles.remote,
  summary: 'ends its entry sources (F3)',
});

/**
 * Closes a campaign whose end has passed, or that somebody has already closed, and ends its entry sources (F3),
 * retrying until the platform confirms. Those of a cancelled campaign end, too.
 */
export async function closeCampaign(input: CloseCampaignInput): Promise<CloseCampaignResult> {
  const { tenantId, campaignId } = input;
  let awake = false;
  const wake = () => {
    awake = true;
  };
  const description = 'Reads the rows again: the campaign was closed or its end was moved.';
  setHandler(closeWakeSignal, wake, { description });
  setCurrentDetails('Checking whether the campaign has ended.');
  let sources = 0;
  let closed = false;
  let status: CampaignStatus = 'closed';
  let refusal: string | undefined;
  for (;;) {
    awake = false;
    closed = await closeWhenEnded({ tenantId, campaignId });
    if (!closed && !input.cancelled) {
      // A signal received in the meantime may have been a manual `:close`.
      if (awake) continue;
      setCurrentDetails('The campaign has not ended; nothing was closed.');
      return { closed: false, sources };
    }
    status = closed ? 'closed' : 'cancelled';
    upsertSearchAttributes([{ key: bizStatusAttribute, value: status }]);
    setCurrentDetails(`The campaign is ${status}; ending its entry sources on the platform.`);
    const ended = await endEntrySources({ tenantId, campaignId });
    sources += ended.ended;
    refusal = ended.refusal ?? refusal;
    if (!awake) break;
  }
  setCurrentDetails(
    refusal === undefined
      ? `The campaign is ${status}; ${sources} entry sources were ended.`
      : `The campaign is ${status}; the platform rejected ending some of its ${sources} entry sources. ${refusal}`,
  );
  return { closed, sources };
}
