import { proxyActivities, setCurrentDetails, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import type { OutreachActivities } from '../../activities/outreach/index.ts';
import { activityProfiles } from '../../temporal.config.ts';
import { closeWakeSignal, type CloseCampaignInput, type CloseCampaignResult } from '../contracts/close-campaign.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';

const { closeWhenEnded } = proxyActivities<OutreachActivities>({
  ...activityProfiles.database,
  summary: 'closes it where its end has passed',
});
const { endEntrySources } = proxyActivities<OutreachActivities>({
  ...activityProfiles.remote,
  summary: 'ends its entry sources (F3)',
});

/**
 * Closes a campaign whose end has passed, or finds it closed by a person, and ends its entry sources (F3), for as long
 * as the platform needs to say that they are.
 */
export async function closeCampaign(input: CloseCampaignInput): Promise<CloseCampaignResult> {
  let awake = false;
  const wake = () => {
    awake = true;
  };
  const description = 'Looks at the rows once more: somebody closed the campaign or moved its end.';
  setHandler(closeWakeSignal, wake, { description });
  setCurrentDetails('Looking whether the campaign has ended.');
  let sources = 0;
  let refusal: string | undefined;
  for (;;) {
    awake = false;
    if (!(await closeWhenEnded(input))) {
      // A signal that came meanwhile may have been a person's `:close`.
      if (awake) continue;
      setCurrentDetails('The campaign has not ended; nothing was closed.');
      return { closed: false, sources };
    }
    upsertSearchAttributes([{ key: bizStatusAttribute, value: 'closed' }]);
    setCurrentDetails('The campaign is closed; its entry sources are being ended at the platform.');
    const ended = await endEntrySources(input);
    sources += ended.ended;
    refusal = ended.refusal ?? refusal;
    if (!awake) break;
  }
  setCurrentDetails(
    refusal === undefined
      ? `The campaign is closed; ${sources} entry sources were ended.`
      : `The campaign is closed; of ${sources} entry sources the platform refused to end some. ${refusal}`,
  );
  return { closed: true, sources };
}
