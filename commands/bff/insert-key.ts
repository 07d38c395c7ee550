import { LIVE } from '#db/bff/api-keys.ts';
import type { BffDatabase } from '#db/bff/database.ts';
import { ApiKeyRow } from '#db/bff/models.ts';
import { firstRow } from '#db/database.ts';

export type NewKey = Pick<
  ApiKeyRow,
  'keyId' | 'platformTenantId' | 'name' | 'secretHash' | 'scopes' | 'serviceNumberIds' | 'createdBy' | 'expiresAt'
>;

/**
 * Stores a key of the tenant's active integration, unless `noted` rejects.
 * @returns null if the tenant has as many as it may have, or its application is being uninstalled.
 */
export async function insertKey(
  { connection }: BffDatabase,
  key: NewKey,
  { maximum, noted }: { maximum: number; noted: () => Promise<void> },
): Promise<ApiKeyRow | null> {
  return connection.transaction(async (transaction) => {
    // A concurrent creation waits, and counts this one.
    const integration = await firstRow<{ tenantIntegrationId: string }>(
      transaction,
      `select tenant_integration_id from tenant_integration
       where platform_tenant_id = :platformTenantId and status = 'ACTIVE' and uninstall_number is null for no key update`,
      { platformTenantId: key.platformTenantId },
    );
    if (!integration) return null;
    const { tenantIntegrationId } = integration;
    const live = await ApiKeyRow.query(transaction).where({ tenantIntegrationId }).whereRaw(LIVE).resultSize();
    if (live >= maximum) return null;
    const row = await ApiKeyRow.query(transaction)
      .insert({ ...key, tenantIntegrationId, createdAt: new Date() })
      .returning('*');
    await noted();
    return row;
  });
}
