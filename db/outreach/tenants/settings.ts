import type { TenantSettings, TenantSettingsPatch } from '../../../domain/api/tenant-settings.ts';
import { Problem } from '../../../domain/api/problem.ts';
import type { Database } from '../../database.ts';
import { type Author, recordAudit } from '../audit/record.ts';
import { IntegrationRow, TenantRow } from '../models/tenants.ts';

const settingsOf = ({ viewersSeeContactPanel, sendsNeedApproval, utm }: TenantSettings): TenantSettings => ({
  viewersSeeContactPanel,
  sendsNeedApproval,
  utm,
});

const unknownTenant = () => new Problem('not_found', 'There is no such tenant');

/** What the tenant allows. */
export async function readTenantSettings(database: Database, tenantId: string): Promise<TenantSettings> {
  const tenant = await TenantRow.query(database).findById(tenantId);
  if (!tenant) throw unknownTenant();
  return settingsOf(tenant);
}

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
