import type { Database } from '#db/database.ts';
import { findTenant } from '#db/orders/catalogue/tenants.ts';
import type { StaffReach } from '#db/orders/staff.ts';
import { OrderError } from '#domain/orders/codes.ts';
import type { Payer } from './session.ts';

/** The tenants whose orders a caller reaches, for statements. A key reaches its own alone. */
export const reachOf = ({ tenantId, scopes }: Payer): StaffReach => ({
  staffTenantId: tenantId,
  withMembers: scopes === null,
});

/** A session reaches its own tenant, and the tenants whose headquarters that is; a key its own alone. */
export async function canAccessTenant(database: Database, payer: Payer, tenantId: string): Promise<boolean> {
  if (payer.tenantId === '') return false;
  if (payer.tenantId === tenantId) return true;
  return payer.scopes === null && (await findTenant(database, tenantId))?.headquartersTenantId === payer.tenantId;
}

/** @throws OrderError 90003 if the tenant is out of reach. */
export async function requireTenantAccess(database: Database, payer: Payer, tenantId: string): Promise<void> {
  if (!(await canAccessTenant(database, payer, tenantId))) throw new OrderError(90003);
}
