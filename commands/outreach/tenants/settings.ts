import type { Database } from '#db/database.ts';
import { TenantRow } from '#db/outreach/models/tenants.ts';
import { Problem } from '#domain/api/problem.ts';
import type { TenantSettings } from '#domain/api/tenant-settings.ts';

/** What administrators decide, without when they last did. */
export type StoredSettings = Omit<TenantSettings, 'etag'>;

export const settingsOf = (tenant: TenantRow): StoredSettings => {
  const { viewersSeeContactPanel, sendsNeedApproval, testContacts, utm, quietHours } = tenant;
  const { automationsPerContactPerDay, controlPercent: percent, controlSince } = tenant;
  return {
    viewersSeeContactPanel,
    sendsNeedApproval,
    testContacts,
    utm,
    quietHours,
    automationsPerContactPerDay,
    controlGroup: percent === null ? null : { percent, since: controlSince?.toISOString() ?? null },
  };
};

export const unknownTenant = () => new Problem('not_found', 'There is no such tenant');

/** What the tenant allows. */
export async function readTenantSettings(
  database: Database,
  tenantId: string,
): Promise<StoredSettings & { revision: number }> {
  const tenant = await TenantRow.query(database).findById(tenantId);
  if (!tenant) throw unknownTenant();
  return { ...settingsOf(tenant), revision: tenant.revision };
}
