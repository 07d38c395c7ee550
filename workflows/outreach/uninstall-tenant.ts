import { proxyActivities, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { BffActivities } from '#activities/bff/index.ts';
import { activityProfiles } from '#temporal.config.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';
import type { UninstallTenantInput } from '../contracts/uninstall-tenant.ts';

const { stopIntegration } = proxyActivities<BffActivities>({
  ...activityProfiles.remote,
  retry: { ...activityProfiles.remote.retry, maximumInterval: '2 seconds' },
});

/** Ends an integration, however long the backend is unavailable: the platform's decision is final. */
export async function uninstallTenant({ tenantIntegrationId }: UninstallTenantInput): Promise<void> {
  setCurrentDetails('Stopping outbound calls, campaigns and workflows of the tenant.');
  await stopIntegration({ tenantIntegrationId });
  upsertSearchAttributes([{ key: bizStatusAttribute, value: 'UNINSTALLED' }]);
  setCurrentDetails('Uninstalled; sessions ended. Business data is kept.');
}
