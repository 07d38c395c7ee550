import type { Database } from '../../db/database.ts';
import { findTenant } from '../../db/orders/catalogue/tenants.ts';
import { OrderError } from '../../domain/orders/codes.ts';
import type { Payer } from './session.ts';

/**
 * A session reaches its own tenant, and the tenants whose headquarters that is.
 * @throws OrderError 90003
 */
export async function requireReach(database: Database, payer: Payer, tenantId: string): Promise<void> {
  if (payer.tenantId !== '' && payer.tenantId === tenantId) return;
  const tenant = await findTenant(database, tenantId);
  if (payer.tenantId === '' || tenant?.headquartersTenantId !== payer.tenantId) throw new OrderError(90003);
}
