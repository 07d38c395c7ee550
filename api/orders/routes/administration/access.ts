import type { Database } from '../../../../db/database.ts';
import { findOwner, findTenant } from '../../../../db/orders/catalogue.ts';
import type { PutTenant } from '../../../../domain/orders/administration.ts';
import { OrderError } from '../../../../domain/orders/codes.ts';
import type { Payer } from '../../session.ts';
import { requireReach } from '../../tenants.ts';

/** @throws OrderError 90201 */
export async function requireTenant(database: Database, tenantId: string): Promise<void> {
  if (!(await findTenant(database, tenantId))) throw new OrderError(90201);
}

/**
 * A new tenant may be created from a session of its own or of the headquarters it names.
 * @throws OrderError 90003
 */
export async function requireTenantReach(
  database: Database,
  payer: Payer,
  tenantId: string,
  body: PutTenant,
): Promise<void> {
  const isNew = (await findTenant(database, tenantId)) === null;
  const founding = isNew && payer.tenantId !== '' && body.headquartersTenantId === payer.tenantId;
  if (!founding) await requireReach(database, payer, tenantId);
}

/**
 * An existing object must belong to a tenant in reach, both before and after the change.
 * @throws OrderError 90003, 90201
 */
export async function requireOwnership(
  database: Database,
  payer: Payer,
  owned: { table: 'goods' | 'coupon'; id: string; tenantId: string },
): Promise<void> {
  await requireReach(database, payer, owned.tenantId);
  const owner = await findOwner(database, owned.table, owned.id);
  if (owner !== null && owner !== owned.tenantId) await requireReach(database, payer, owner);
  await requireTenant(database, owned.tenantId);
}
