import { proxyActivities, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { BffActivities } from '#activities/bff/index.ts';
import { activityProfiles } from '#temporal.config.ts';
import type { RegisterSlotsInput, RegisterSlotsResult } from '../contracts/register-slots.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';

const { announceWebhook, registerEmbedSlots } = proxyActivities<BffActivities>(activityProfiles.remote);

/**
 * Sends the BFF's address to the platform and the backend again, after it changed or at an administrator's
 * request.
 */
export async function registerSlots({ tenantIntegrationId }: RegisterSlotsInput): Promise<RegisterSlotsResult> {
  setCurrentDetails('Sending the webhook address to the backend and the slots to the platform.');
  await announceWebhook({ tenantIntegrationId });
  const outcome = await registerEmbedSlots({ tenantIntegrationId });
  upsertSearchAttributes([{ key: bizStatusAttribute, value: outcome === 'registered' ? 'REGISTERED' : 'UNINSTALLED' }]);
  setCurrentDetails(
    outcome === 'registered' ? 'Slots registered.' : 'The integration is not active: nothing was registered.',
  );
  return outcome;
}
