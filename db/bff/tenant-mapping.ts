import type { Transaction } from '../database.ts';
import { TenantMapping } from './models.ts';

/** Leads from a platform tenant to the backend's tenant, through its ACTIVE integration (S0, Authentication 6). */
export async function mapTenant(
  transaction: Transaction,
  mapping: { platformTenantId: string; externalTenantId: string; tenantIntegrationId: string },
): Promise<void> {
  await TenantMapping.query(transaction).insert(mapping).onConflict('platformTenantId').merge();
}

export async function unmapTenant(transaction: Transaction, tenantIntegrationId: string): Promise<void> {
  await TenantMapping.query(transaction).where({ tenantIntegrationId }).delete();
}

/** SQL: the backend's tenant for the platform tenant in `column`; null unless an ACTIVE integration maps it. */
export const mappedTenantOf = (column: string): string =>
  `(select m.external_tenant_id from tenant_mapping m join tenant_integration i using (tenant_integration_id)
     where m.platform_tenant_id = ${column} and i.platform_tenant_id = m.platform_tenant_id
       and i.status = 'ACTIVE')`;
