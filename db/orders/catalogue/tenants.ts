import { fn } from 'objection';
import type { ChangeTenant, PutTenant } from '#domain/orders/administration.ts';
import { type Versioned, versioned } from '#domain/orders/administration/versions.ts';
import { fromMinor, toMinor } from '#domain/orders/money.ts';
import type { Database, Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '../audit.ts';
import { nextVersion, Tenant } from '../models/catalogue.ts';
import { lockName, transact } from '../transaction.ts';
import type { Precondition } from './owned.ts';

export async function findTenant(database: Database, tenantId: string): Promise<Tenant | null> {
  return (await Tenant.query(database).findById(tenantId)) ?? null;
}

type PutFields = Required<PutTenant>;
type StoredTenant = PutFields & Versioned;

const unitsOf = (minor: number | null): number | null => (minor === null ? null : fromMinor(minor));

/** A tenant as stored. */
const asPut = (tenant: Tenant): PutFields => ({
  name: tenant.name,
  businessType: tenant.businessType,
  PAYGW_shopId: tenant.shopId,
  currency: tenant.currency,
  districtId: tenant.districtId,
  selfGoverned: tenant.selfGoverned,
  headquartersTenantId: tenant.headquartersTenantId,
  earnAttributes: tenant.earnAttributes,
  refundsNeedApprovalAbove: unitsOf(tenant.refundsNeedApprovalAboveMinor),
});

/** In minor units; unchanged if absent. */
function limitOf({ refundsNeedApprovalAbove: above }: Partial<ChangeTenant>, before: number | null): number | null {
  if (above === undefined) return before;
  return above === null ? null : toMinor(above);
}

/** Records a changed tenant. @returns its current state */
async function recordPut(
  transaction: Transaction,
  { tenantId, author, before }: { tenantId: string; author: Author; before: Tenant | null },
): Promise<StoredTenant> {
  const tenant = await Tenant.query(transaction).findById(tenantId).throwIfNotFound();
  const after = asPut(tenant);
  await recordAudit(transaction, {
    tenantId,
    author,
    action: 'tenant.put',
    subject: { type: 'tenant', id: tenantId },
    before: before && asPut(before),
    after,
  });
  return { ...after, ...versioned(tenant) };
}

/** A shop belongs to the tenant whose record names it. */
async function isAnothers(transaction: Transaction, shopId: string, tenantId: string): Promise<boolean> {
  return (await Tenant.query(transaction).findOne({ shopId }).whereNot({ tenantId })) !== undefined;
}

/**
 * Creates or replaces a tenant.
 * @returns the tenant as it is then; otherwise why nothing was written: another tenant has the shop, what decides who
 * approves refunds changes, which is up to a tenant administrator, or the precondition fails.
 */
export async function putTenant(
  database: Database,
  { tenantId, author, isTenantAdmin }: { tenantId: string; author: Author; isTenantAdmin: boolean },
  tenant: PutTenant,
  precondition: Precondition,
): Promise<StoredTenant | 'foreign_shop' | 'needs_tenant_admin' | 'stale'> {
  return transact(database, async (transaction) => {
    // One at a time, whichever tenant: of two that name the same shop one gets it.
    await lockName(transaction, ['tenants']);
    const before = await findTenant(transaction, tenantId);
    const limitBefore = before?.refundsNeedApprovalAboveMinor ?? null;
    const limit = limitOf(tenant, limitBefore);
    const shopId = tenant.PAYGW_shopId ?? null;
    const headquartersTenantId = tenant.headquartersTenantId ?? null;
    // Staff of a headquarters approve refunds, and a limit is worth what its shop's money is.
    const decides =
      limit !== limitBefore ||
      headquartersTenantId !== (before?.headquartersTenantId ?? null) ||
      (shopId !== (before?.shopId ?? null) && (limit !== null || limitBefore !== null));
    if (decides && !isTenantAdmin) return 'needs_tenant_admin';
    if (shopId !== null && (await isAnothers(transaction, shopId, tenantId))) return 'foreign_shop';
    if (!precondition(before?.version ?? null)) return 'stale';
    await Tenant.query(transaction)
      .insert({
        tenantId,
        name: tenant.name,
        businessType: tenant.businessType,
        shopId,
        currency: tenant.currency ?? 'TWD',
        districtId: tenant.districtId ?? null,
        selfGoverned: tenant.selfGoverned ?? false,
        headquartersTenantId,
        earnAttributes: tenant.earnAttributes ?? [],
        refundsNeedApprovalAboveMinor: limit,
        updatedAt: fn.now(),
        version: nextVersion,
      })
      .onConflict('tenantId')
      .merge();
    return recordPut(transaction, { tenantId, author, before });
  });
}

/** The tenant as stored; null if there is none. */
export async function readTenant(database: Database, tenantId: string): Promise<StoredTenant | null> {
  const found = await findTenant(database, tenantId);
  return found && { ...asPut(found), ...versioned(found) };
}

/** Changes which refunds of a tenant need approval. @returns the updated tenant; null if there is none, `stale` as `putTenant` */
export function changeTenant(
  database: Database,
  { tenantId, author }: { tenantId: string; author: Author },
  { refundsNeedApprovalAbove }: ChangeTenant,
  precondition: Precondition,
): Promise<StoredTenant | null | 'stale'> {
  return transact(database, async (transaction) => {
    // The same lock as a PUT: it would put the limit back that it has read.
    await lockName(transaction, ['tenants']);
    const before = await Tenant.query(transaction).findById(tenantId);
    if (!before) return null;
    if (!precondition(before.version)) return 'stale';
    const limit = limitOf({ refundsNeedApprovalAbove }, null);
    const changed = { refundsNeedApprovalAboveMinor: limit, updatedAt: fn.now(), version: nextVersion };
    await Tenant.query(transaction).findById(tenantId).patch(changed);
    return recordPut(transaction, { tenantId, author, before });
  });
}
