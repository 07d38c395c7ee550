import {
  allHandlersFinished,
  condition,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { BffActivities } from '../../activities/bff/index.ts';
import { activityProfiles } from '../../temporal.config.ts';
import {
  installAnswerUpdate,
  type InstallAnswer,
  type InstallTenantInput,
  type InstallTenantResult,
} from '../contracts/install-tenant.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';

// A caller waits: an outage that ends is noticed within two seconds.
const { synchronizeInstallation } = proxyActivities<BffActivities>({
  ...activityProfiles.remote,
  startToCloseTimeout: '10 seconds',
  retry: { ...activityProfiles.remote.retry, maximumInterval: '2 seconds' },
});
const { registerEmbedSlots } = proxyActivities<BffActivities>(activityProfiles.remote);

function show(status: string, details: string): void {
  upsertSearchAttributes([{ key: bizStatusAttribute, value: status }]);
  setCurrentDetails(details);
}

/**
 * Installs an integration: the blocking part ends with it ACTIVE in BFF and backend, which `installAnswer` waits for;
 * then its embedded slots are registered at the platform, for as long as that takes.
 */
export async function installTenant({ tenantIntegrationId }: InstallTenantInput): Promise<InstallTenantResult> {
  let answer: InstallAnswer | undefined;
  setHandler(installAnswerUpdate, async () => {
    await condition(() => answer !== undefined);
    return answer as InstallAnswer;
  });
  show('PENDING', 'Waiting for the backend to have the integration, its tenant and its service numbers.');
  answer = await synchronizeInstallation({ tenantIntegrationId });
  let slots: InstallTenantResult['slots'] = 'not_reached';
  if (answer.kind === 'active') {
    show('ACTIVE', 'Installed. Registering the embedded slots at the platform.');
    slots = await registerEmbedSlots({ tenantIntegrationId });
    setCurrentDetails(
      slots === 'registered' ? 'Installed, slots registered.' : 'Uninstalled before slots were registered.',
    );
  } else {
    show(
      'REFUSED',
      `Refused: ${answer.code === 'gone' ? 'uninstalled' : 'the tenant has another active integration'}.`,
    );
  }
  await condition(allHandlersFinished);
  return { answer, slots };
}
