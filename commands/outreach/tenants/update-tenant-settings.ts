import type { Database } from '../../../db/database.ts';
import { type Author, recordAudit } from '../../../db/outreach/audit/record.ts';
import { IntegrationRow, TenantRow } from '../../../db/outreach/models/tenants.ts';
import type { TenantSettings, TenantSettingsPatch } from '../../../domain/api/tenant-settings.ts';
import { settingsOf, unknownTenant } from './settings.ts';

/** Stores the tenant's settings; the audit log has the previous ones. */
export function updateTenantSettings(
  database: Database,
  author: Author,
  patch: TenantSettingsPatch,
): Promise<TenantSettings> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    const before = await TenantRow.query(transaction).findById(tenantId).forUpdate();
    if (!before) throw unknownTenant();
    await TenantRow.query(transaction).findById(tenantId).patch(patch);
    const settings = settingsOf({ ...before, ...patch });
    const integration = await IntegrationRow.query(transaction).findOne({ tenantId, status: 'ACTIVE' });
    await recordAudit(transaction, author, {
      action: 'integration.settings',
      objectType: 'integration',
      objectId: integration?.tenantIntegrationId ?? tenantId,
      before: settingsOf(before),
      after: settings,
    });
    return settings;
  });
}
