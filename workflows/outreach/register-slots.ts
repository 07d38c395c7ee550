import { proxyActivities, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { BffActivities } from '../../activities/bff/index.ts';
import { activityProfiles } from '../../temporal.config.ts';
import type { RegisterSlotsInput, RegisterSlotsResult } from '../contracts/register-slots.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';

const { announceWebhook, registerEmbedSlots } = proxyActivities<BffActivities>(activityProfiles.remote);

/** Tells platform and backend the BFF's address again: after it changed, or because an administrator asks. */
export async function registerSlots({ tenantIntegrationId }: RegisterSlotsInput): Promise<RegisterSlotsResult> {
  setCurrentDetails('Telling the backend the webhook address and the platform the slots.');
  await announceWebhook({ tenantIntegrationId });
  const outcome = await registerEmbedSlots({ tenantIntegrationId });
  upsertSearchAttributes([{ key: bizStatusAttribute, value: outcome === 'registered' ? 'REGISTERED' : 'UNINSTALLED' }]);
  setCurrentDetails(
    outcome === 'registered' ? 'Slots registered.' : 'The integration is not active: nothing registered.',
  );
  return outcome;
}
