import type { Database } from '#db/database.ts';
import { recordAudit, type RequestIds } from '#db/outreach/audit/record.ts';
import { IntegrationRow, type IntegrationStatus, TenantRow } from '#db/outreach/models/tenants.ts';
import { replaceCatalogue } from '#db/outreach/tenants/service-numbers.ts';
import type { InstalledServiceNumbers } from '#domain/api/internal.ts';
import { assertInstalled, lockIntegration, platformAuthor } from './integrations.ts';

export interface IntegrationPatch {
  tenant?: { name?: string | undefined; type?: string | undefined } | undefined;
  serviceNumbers?: InstalledServiceNumbers | undefined;
  webhookUrl?: string | undefined;
}

/** @throws Problem `not_found`, `gone`. */
export function patchIntegration(
  database: Database,
  tenantIntegrationId: string,
  { tenant, serviceNumbers, webhookUrl }: IntegrationPatch,
  ids: RequestIds,
): Promise<{ status: IntegrationStatus }> {
  return database.transaction(async (transaction) => {
    const row = await lockIntegration(transaction, tenantIntegrationId);
    assertInstalled(row);
    const named = Object.fromEntries(Object.entries(tenant ?? {}).filter(([, value]) => value !== undefined));
    if (Object.keys(named).length > 0) await TenantRow.query(transaction).findById(row.tenantId).patch(named);
    if (webhookUrl !== undefined)
      await IntegrationRow.query(transaction).findById(tenantIntegrationId).patch({ webhookUrl });
    if (serviceNumbers) await replaceCatalogue(transaction, row.tenantId, serviceNumbers);
    await recordAudit(transaction, platformAuthor(row.tenantId, ids), {
      action: 'integration.update',
      objectType: 'integration',
      objectId: tenantIntegrationId,
      after: { tenant, serviceNumbers: serviceNumbers?.length, webhookUrl },
    });
    return { status: row.status };
  });
}
