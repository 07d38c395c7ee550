import { tenantSettingsOperations } from '#domain/api/tenant-settings.ts';
import { readTenantSettings } from '#commands/outreach/tenants/settings.ts';
import { updateTenantSettings } from '#commands/outreach/tenants/update-tenant-settings.ts';
import { authorOf, type BackendDeps, type ServeActor } from '#api/backend/deps.ts';

/** What a tenant allows, decided by its administrators. */
export function tenantSettingsRoutes(serve: ServeActor, { database }: BackendDeps): void {
  serve(tenantSettingsOperations.getTenantSettings, {
    handle: ({ actor }) => readTenantSettings(database, actor.tenantId),
  });

  serve(tenantSettingsOperations.updateTenantSettings, {
    current: ({ actor }) => readTenantSettings(database, actor.tenantId),
    handle: ({ actor, body }) => updateTenantSettings(database, authorOf(actor), body),
  });
}
