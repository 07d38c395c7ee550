import { proxyActivities, setCurrentDetails, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import type { OutreachActivities } from '../../activities/outreach/index.ts';
import { activityProfiles } from '../../temporal.config.ts';
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
 * retrying until the platform confirms.
 */
export async function closeCampaign(input: CloseCampaignInput): Promise<CloseCampaignResult> {
  let awake = false;
  const wake = () => {
    awake = true;
  };
  const description = 'Reads the rows again: the campaign was closed or its end was moved.';
  setHandler(closeWakeSignal, wake, { description });
  setCurrentDetails('Checking whether the campaign has ended.');
  let sources = 0;
  let refusal: string | undefined;
  for (;;) {
    awake = false;
    if (!(await closeWhenEnded(input))) {
      // A signal received in the meantime may have been a manual `:close`.
      if (awake) continue;
      setCurrentDetails('The campaign has not ended; nothing was closed.');
      return { closed: false, sources };
    }
    upsertSearchAttributes([{ key: bizStatusAttribute, value: 'closed' }]);
    setCurrentDetails('The campaign is closed; ending its entry sources on the platform.');
    const ended = await endEntrySources(input);
    sources += ended.ended;
    refusal = ended.refusal ?? refusal;
    if (!awake) break;
  }
  setCurrentDetails(
    refusal === undefined
      ? `The campaign is closed; ${sources} entry sources were ended.`
      : `The campaign is closed; the platform rejected ending some of its ${sources} entry sources. ${refusal}`,
  );
  return { closed: true, sources };
}
