import type { Database } from '#db/database.ts';
import type { Author, RequestIds } from '#db/outreach/audit/record.ts';
import { IntegrationRow } from '#db/outreach/models/tenants.ts';
import { Problem } from '#domain/api/problem.ts';

/** The platform, as the audit log names it. */
export const platformAuthor = (tenantId: string, ids: RequestIds): Author => ({ tenantId, userId: 'platform', ...ids });

/** The integration, locked until the transaction ends. @throws Problem `not_found`. */
export async function lockIntegration(transaction: Database, tenantIntegrationId: string): Promise<IntegrationRow> {
  const row = await IntegrationRow.query(transaction).findById(tenantIntegrationId).forUpdate();
  if (!row) throw new Problem('not_found', 'There is no integration with this id');
  return row;
}

export function assertInstalled(row: IntegrationRow): void {
  if (row.status === 'UNINSTALLED') throw new Problem('gone', 'The integration is uninstalled');
}
