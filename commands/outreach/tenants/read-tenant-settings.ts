import type { Database } from '../../../db/database.ts';
import { TenantRow } from '../../../db/outreach/models/tenants.ts';
import type { TenantSettings } from '../../../domain/api/tenant-settings.ts';
import { settingsOf, unknownTenant } from './settings.ts';

/** What the tenant allows. */
export async function readTenantSettings(database: Database, tenantId: string): Promise<TenantSettings> {
  const tenant = await TenantRow.query(database).findById(tenantId);
  if (!tenant) throw unknownTenant();
  return settingsOf(tenant);
}
