import { etagOf } from '#domain/api/if-match.ts';
import { type TenantSettings, tenantSettingsOperations } from '#domain/api/tenant-settings.ts';
import { readTenantSettings, type StoredSettings } from '#commands/outreach/tenants/settings.ts';
import { updateTenantSettings } from '#commands/outreach/tenants/update-tenant-settings.ts';
import type { Caller } from '#api/backend/auth.ts';
import { authorOf, type BackendDeps, type ServeActor } from '#api/backend/deps.ts';
import { ifMatch } from '#api/backend/if-match.ts';

const present = ({ revision, ...settings }: StoredSettings & { revision: number }): TenantSettings => ({
  ...settings,
  etag: etagOf(revision),
});

/** Test contacts have service numbers. */
const seenBy = ({ serviceNumberIds }: Caller, { testContacts, ...settings }: TenantSettings): TenantSettings => ({
  ...settings,
  testContacts: testContacts.filter((one) => serviceNumberIds?.includes(one.serviceNumberId) ?? true),
});

/** What a tenant allows, decided by its administrators. */
export function tenantSettingsRoutes(serve: ServeActor, { database, now }: BackendDeps): void {
  serve(tenantSettingsOperations.getTenantSettings, {
    handle: async ({ actor }) => seenBy(actor, present(await readTenantSettings(database, actor.tenantId))),
  });

  serve(tenantSettingsOperations.updateTenantSettings, {
    current: async ({ actor }) => present(await readTenantSettings(database, actor.tenantId)),
    handle: async ({ actor, headers, body }) => {
      const change = { now: now(), checkRevision: ifMatch(headers['if-match']) };
      return present(await updateTenantSettings(database, authorOf(actor), body, change));
    },
  });
}
