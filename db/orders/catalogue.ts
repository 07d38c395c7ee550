import { fn } from 'objection';
import type { PutCoupon, PutGoods, PutTenant } from '../../domain/orders/administration.ts';
import { toMinor } from '../../domain/orders/money.ts';
import type { Goods as PricedGoods } from '../../domain/orders/pricing.ts';
import type { Database } from '../database.ts';
import { Coupon, Goods, Tenant } from './models.ts';

export async function findTenant(database: Database, tenantId: string): Promise<Tenant | null> {
  return (await Tenant.query(database).findById(tenantId)) ?? null;
}

/** Creates or replaces a tenant. */
export async function putTenant(database: Database, tenantId: string, tenant: PutTenant): Promise<void> {
  await Tenant.query(database)
    .insert({
      tenantId,
      name: tenant.name,
      businessType: tenant.businessType,
      shopId: tenant.PAYGW_shopId ?? null,
      currency: tenant.currency ?? 'TWD',
      districtId: tenant.districtId ?? null,
      selfGoverned: tenant.selfGoverned ?? false,
      headquartersTenantId: tenant.headquartersTenantId ?? null,
      earnAttributes: tenant.earnAttributes ?? [],
      updatedAt: fn.now(),
    })
    .onConflict('tenantId')
    .merge();
}

/** The tenant that owns the goods or coupon; null if the id is unknown. */
export async function findOwner(database: Database, table: 'goods' | 'coupon', id: string): Promise<string | null> {
  const owned =
    table === 'goods' ? await Goods.query(database).findById(id) : await Coupon.query(database).findById(id);
  return owned?.tenantId ?? null;
}

/** Creates or replaces goods. Held stock stays held. */
export async function putGoods(database: Database, goodsId: string, goods: PutGoods): Promise<void> {
  await Goods.query(database)
    .insert({
      goodsId,
      tenantId: goods.tenantId,
      name: goods.name,
      pricingType: goods.pricingType,
      stock: goods.stock ?? null,
      paymentOptions: goods.paymentOptions.map(({ cashAmount, ...option }) => ({
        ...option,
        cashMinor: toMinor(cashAmount),
      })),
      updatedAt: fn.now(),
    })
    .onConflict('goodsId')
    .merge();
}

/** The goods with these ids and their currently available stock; unknown ids are absent. */
export async function findGoods(database: Database, goodsIds: string[]): Promise<Map<string, PricedGoods & Goods>> {
  if (goodsIds.length === 0) return new Map();
  const found = await Goods.query(database).findByIds(goodsIds);
  return new Map(
    found.map((row) => [row.goodsId, Object.assign(row, { free: row.stock === null ? null : row.stock - row.held })]),
  );
}

/** Creates a coupon, or changes one that is available. @returns the coupon as it is then. */
export async function putCoupon(database: Database, couponId: string, coupon: PutCoupon): Promise<Coupon> {
  await database.raw(
    `insert into coupon (coupon_id, tenant_id, user_id, name) values (:couponId, :tenantId, :userId, :name)
     on conflict (coupon_id) do update set (tenant_id, user_id, name) =
       (excluded.tenant_id, excluded.user_id, excluded.name) where coupon.status = 'available'`,
    { couponId, tenantId: coupon.tenantId, userId: coupon.userId, name: coupon.name },
  );
  return Coupon.query(database).findById(couponId).throwIfNotFound();
}

/** Those of these coupons that the payer can use now at this tenant: neither used nor held by an order. */
export async function usableCoupons(
  database: Database,
  owner: { tenantId: string; userId: string },
  couponIds: string[],
): Promise<Set<string>> {
  if (couponIds.length === 0) return new Set();
  const found = await Coupon.query(database)
    .findByIds(couponIds)
    .where({ ...owner, status: 'available' });
  return new Set(found.map((row) => row.couponId));
}
