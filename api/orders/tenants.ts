import type { Database } from '#db/database.ts';
import { findTenant } from '#db/orders/catalogue/tenants.ts';
import { OrderError } from '#domain/orders/codes.ts';
import type { Payer } from './session.ts';

/** A session reaches its own tenant, and the tenants whose headquarters that is. */
export async function canAccessTenant(database: Database, payer: Payer, tenantId: string): Promise<boolean> {
  if (payer.tenantId === '') return false;
  return payer.tenantId === tenantId || (await findTenant(database, tenantId))?.headquartersTenantId === payer.tenantId;
}

/** @throws OrderError 90003 if the tenant is out of reach. */
export async function requireTenantAccess(database: Database, payer: Payer, tenantId: string): Promise<void> {
  if (!(await canAccessTenant(database, payer, tenantId))) throw new OrderError(90003);
}
