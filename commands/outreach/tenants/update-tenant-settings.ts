import type { Database } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { anyRevision, type RevisionCheck } from '../revision-check.ts';
import { IntegrationRow, TenantRow } from '#db/outreach/models/tenants.ts';
import type { TenantSettingsPatch } from '#domain/api/tenant-settings.ts';
import { controlColumns } from './control-group.ts';
import { settingsOf, type StoredSettings, unknownTenant } from './settings.ts';
import { knownTestContacts } from './test-contacts.ts';

/** Stores the tenant's settings; the audit log has the previous ones. @throws Problem `invalid_content`, `stale`. */
export function updateTenantSettings(
  database: Database,
  author: Author,
  { controlGroup, ...patch }: TenantSettingsPatch,
  { now, checkRevision = anyRevision }: { now: Date; checkRevision?: RevisionCheck },
): Promise<StoredSettings & { revision: number }> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    const before = await TenantRow.query(transaction).findById(tenantId).forUpdate();
    if (!before) throw unknownTenant();
    checkRevision(before.revision);
    const testContacts = patch.testContacts && (await knownTestContacts(transaction, tenantId, patch.testContacts));
    const change = {
      ...patch,
      ...(testContacts && { testContacts }),
      ...(controlGroup !== undefined && controlColumns(before, controlGroup, now)),
    };
    const stored = await TenantRow.query(transaction).patchAndFetchById(tenantId, change);
    const settings = settingsOf(stored);
    const integration = await IntegrationRow.query(transaction).findOne({ tenantId, status: 'ACTIVE' });
    await recordAudit(transaction, author, {
      action: 'integration.settings',
      objectType: 'integration',
      objectId: integration?.tenantIntegrationId ?? tenantId,
      before: settingsOf(before),
      after: settings,
    });
    return { ...settings, revision: stored.revision };
  });
}
