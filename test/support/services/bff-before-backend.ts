import { externalTenantOf, insertContacts, type TestBackend } from './backend.ts';
import { installed, type TestBff, type TestIntegration } from './bff.ts';

/** The BFF's recording backend passes the exchange of tokens on to the real one, to which everything else is forwarded. */
export function passTokensOn(bff: TestBff, backend: TestBackend): void {
  bff.backend.behave(async ({ path, json }) => {
    if (!path.endsWith('/tokens')) return null;
    const { status, body } = await backend.service('POST', '/tokens', json);
    return { status, body };
  });
}

/** Installs a tenant of three contacts at both, as the installation of one does. */
export async function installedAtBoth(bff: TestBff, backend: TestBackend): Promise<TestIntegration> {
  const integration = await installed(bff);
  const { platformTenantId: tenantId, tenantIntegrationId } = integration;
  await backend.install(tenantId, { tenantIntegrationId });
  await insertContacts(backend.db, tenantId, 3);
  const externalTenantId = await externalTenantOf(backend.db, tenantId);
  await bff
    .rows('tenant_mapping')
    .where({ platform_tenant_id: tenantId })
    .update({ external_tenant_id: externalTenantId });
  return integration;
}
