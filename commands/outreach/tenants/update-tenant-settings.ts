import type { Database } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { IntegrationRow, TenantRow } from '#db/outreach/models/tenants.ts';
import type { TenantSettings, TenantSettingsPatch } from '#domain/api/tenant-settings.ts';
import { settingsOf, unknownTenant } from './settings.ts';
import { knownTestContacts } from './test-contacts.ts';

/** Stores the tenant's settings; the audit log has the previous ones. @throws Problem `invalid_content`. */
export function updateTenantSettings(
  database: Database,
  author: Author,
  patch: TenantSettingsPatch,
): Promise<TenantSettings> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    const before = await TenantRow.query(transaction).findById(tenantId).forUpdate();
    if (!before) throw unknownTenant();
    const testContacts = patch.testContacts && (await knownTestContacts(transaction, tenantId, patch.testContacts));
    const change = testContacts ? { ...patch, testContacts } : patch;
    await TenantRow.query(transaction).findById(tenantId).patch(change);
    const settings = settingsOf({ ...before, ...change });
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
