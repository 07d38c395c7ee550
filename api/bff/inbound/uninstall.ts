import { beginUninstall } from '#db/bff/integrations.ts';
import { uninstallBodySchema } from '#domain/api/inbound.ts';
import { type LifecycleDeps, lifecycleRoute } from './lifecycle.ts';
import { notSigned } from './signed-call.ts';
import { proveByTenant } from './update.ts';

/** An uninstall is never undone: the workflow continues even if the caller gets a 503, and a retry joins it. */
export function uninstallRoute(deps: LifecycleDeps) {
  return lifecycleRoute(deps, {
    body: uninstallBodySchema,
    prove: proveByTenant(deps),
    whenUninstalled: 'handled',
    async handle({ body: { tenantIntegrationId, reason }, integration, deadline }) {
      if (!integration) throw notSigned();
      if (integration.status !== 'UNINSTALLED') {
        const number = await beginUninstall(deps.database, tenantIntegrationId, reason ?? null);
        const { platformTenantId } = integration;
        await deps.launch.uninstall({ tenantIntegrationId, platformTenantId, number }, deadline);
      }
      return { installStatus: 'UNINSTALLED' };
    },
  });
}
