import type { Database } from '#db/database.ts';
import type { Author } from '#db/orders/audit.ts';
import { findOwner, type Owned, type Precondition } from '#db/orders/catalogue/owned.ts';
import { findTenant } from '#db/orders/catalogue/tenants.ts';
import { etagOf } from '#domain/orders/administration/versions.ts';
import { OrderError } from '#domain/orders/codes.ts';
import { isMatched } from '#api/http/if-match.ts';
import { auditedIds } from '#api/http/request-id.ts';
import type { Payer } from '#api/orders/session.ts';
import { requireTenantAccess } from '#api/orders/tenants.ts';

/** Who writes, for the audit log. */
export const authorOf = ({ userId }: Payer): Author => ({ userId, ...auditedIds() });

/** What the headers say about the version that a write may replace. */
export const preconditionOf =
  (headers: { 'if-match'?: string | undefined; 'if-none-match'?: string | undefined }): Precondition =>
  (version) => {
    const isNew = version === null;
    if (headers['if-none-match']?.trim() === '*' && !isNew) return false;
    return isMatched(headers['if-match'], isNew ? null : etagOf(version));
  };

/** @throws OrderError 90201 */
async function requireTenant(database: Database, tenantId: string): Promise<void> {
  if (!(await findTenant(database, tenantId))) throw new OrderError(90201);
}

/** A tenant that exists, in reach. @throws OrderError 90003, 90201 */
export async function requireReachedTenant(database: Database, payer: Payer, tenantId: string): Promise<void> {
  await requireTenantAccess(database, payer, tenantId);
  await requireTenant(database, tenantId);
}

/**
 * A tenant's record is its own: it says who its headquarters is.
 * @throws OrderError 90003
 */
export function requireOwnTenant(payer: Payer, tenantId: string): void {
  if (payer.tenantId === '' || payer.tenantId !== tenantId) throw new OrderError(90003);
}

/** The tenant that a list is about: the one asked for, or the session's own. @throws OrderError 90003 */
export async function reachedTenant(database: Database, payer: Payer, asked: string | undefined): Promise<string> {
  const tenantId = asked ?? payer.tenantId;
  await requireTenantAccess(database, payer, tenantId);
  return tenantId;
}

interface OwnedObject {
  table: 'goods' | 'coupon';
  id: string;
}

/**
 * An object that exists, of a tenant in reach.
 * @throws OrderError 90201, 90003
 */
export async function requireOwned(database: Database, payer: Payer, { table, id }: OwnedObject): Promise<Owned> {
  const owner = await findOwner(database, table, id);
  if (owner === null) throw new OrderError(90201);
  await requireTenantAccess(database, payer, owner);
  return { id, author: authorOf(payer), owners: [owner] };
}

/**
 * An object that is put for a tenant: if it exists, it must belong to a tenant in reach, both before and after the
 * change.
 * @throws OrderError 90003, 90201
 */
export async function requireOwnership(
  database: Database,
  payer: Payer,
  { table, id, tenantId }: OwnedObject & { tenantId: string },
): Promise<Owned> {
  await requireTenantAccess(database, payer, tenantId);
  const owner = await findOwner(database, table, id);
  if (owner !== null && owner !== tenantId) await requireTenantAccess(database, payer, owner);
  await requireTenant(database, tenantId);
  return { id, author: authorOf(payer), owners: owner === null ? [tenantId] : [tenantId, owner] };
}
