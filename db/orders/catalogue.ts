import type { PutCoupon, PutGoods, PutTenant } from '../../domain/orders/administration.ts';
import { toMinor } from '../../domain/orders/money.ts';
import type { BusinessType, Goods, PaymentOption, PricingType } from '../../domain/orders/pricing.ts';
import { type Database, firstRow, rows } from '../database.ts';

export interface Tenant {
  tenantId: string;
  name: string;
  businessType: BusinessType;
  shopId: string | null;
  currency: string;
  headquartersTenantId: string | null;
  earnAttributes: string[];
}

const tenantColumns = `tenant_id, name, business_type, shop_id, currency,
  headquarters_tenant_id, earn_attributes`;

export async function findTenant(database: Database, tenantId: string): Promise<Tenant | null> {
  return firstRow(database, `select ${tenantColumns} from tenant where tenant_id = :tenantId`, { tenantId });
}

/** Creates or replaces a tenant. */
export async function putTenant(database: Database, tenantId: string, tenant: PutTenant): Promise<void> {
  await database.raw(
    `insert into tenant (tenant_id, name, business_type, shop_id, currency, district_id, self_governed,
       headquarters_tenant_id, earn_attributes)
     values (:tenantId, :name, :businessType, :shopId, :currency, :districtId, :selfGoverned, :headquarters, :earn)
     on conflict (tenant_id) do update set (name, business_type, shop_id, currency, district_id, self_governed,
       headquarters_tenant_id, earn_attributes, updated_at) = (excluded.name, excluded.business_type, excluded.shop_id,
       excluded.currency, excluded.district_id, excluded.self_governed, excluded.headquarters_tenant_id,
       excluded.earn_attributes, now())`,
    {
      tenantId,
      name: tenant.name,
      businessType: tenant.businessType,
      shopId: tenant.PAYGW_shopId ?? null,
      currency: tenant.currency ?? 'TWD',
      districtId: tenant.districtId ?? null,
      selfGoverned: tenant.selfGoverned ?? false,
      headquarters: tenant.headquartersTenantId ?? null,
      earn: tenant.earnAttributes ?? [],
    },
  );
}

/** The tenant that owns goods or a coupon; null where there is none of this id. */
export async function ownerOf(database: Database, table: 'goods' | 'coupon', id: string): Promise<string | null> {
  const row = await firstRow<{ tenantId: string }>(database, `select tenant_id from ${table} where ${table}_id = :id`, {
    id,
  });
  return row?.tenantId ?? null;
}

/** Creates or replaces goods. What is held stays held. */
export async function putGoods(database: Database, goodsId: string, goods: PutGoods): Promise<void> {
  const options: PaymentOption[] = goods.paymentOptions.map((option) => ({
    paymentOptionId: option.paymentOptionId,
    name: option.name,
    pointAmount: option.pointAmount,
    cashMinor: toMinor(option.cashAmount),
  }));
  await database.raw(
    `insert into goods (goods_id, tenant_id, name, pricing_type, stock, payment_options)
     values (:goodsId, :tenantId, :name, :pricingType, :stock, :options)
     on conflict (goods_id) do update set (tenant_id, name, pricing_type, stock, payment_options, updated_at) =
       (excluded.tenant_id, excluded.name, excluded.pricing_type, excluded.stock, excluded.payment_options, now())`,
    {
      goodsId,
      tenantId: goods.tenantId,
      name: goods.name,
      pricingType: goods.pricingType,
      stock: goods.stock ?? null,
      options: JSON.stringify(options),
    },
  );
}

interface GoodsRow {
  goodsId: string;
  tenantId: string;
  name: string;
  pricingType: PricingType;
  free: number | null;
  paymentOptions: PaymentOption[];
}

/** The goods of these ids with what is free now; unknown ids are absent. */
export async function findGoods(database: Database, goodsIds: string[]): Promise<Map<string, Goods>> {
  if (goodsIds.length === 0) return new Map();
  const found = await rows<GoodsRow>(
    database,
    `select goods_id, tenant_id, name, pricing_type, stock - held as free,
       payment_options
     from goods where goods_id = any(:goodsIds)`,
    { goodsIds },
  );
  return new Map(found.map((row) => [row.goodsId, row]));
}

/** Creates a coupon, or changes one that nobody uses. @returns its status. */
export async function putCoupon(database: Database, couponId: string, coupon: PutCoupon): Promise<string> {
  await database.raw(
    `insert into coupon (coupon_id, tenant_id, user_id, name) values (:couponId, :tenantId, :userId, :name)
     on conflict (coupon_id) do update set (tenant_id, user_id, name) =
       (excluded.tenant_id, excluded.user_id, excluded.name) where coupon.status = 'available'`,
    { couponId, tenantId: coupon.tenantId, userId: coupon.userId, name: coupon.name },
  );
  const row = await firstRow<{ status: string }>(database, 'select status from coupon where coupon_id = :couponId', {
    couponId,
  });
  return row?.status ?? 'available';
}

/** Which of these coupons this payer can use now at this tenant: neither used nor held by an order. */
export async function usableCoupons(
  database: Database,
  owner: { tenantId: string; userId: string },
  couponIds: string[],
): Promise<Set<string>> {
  if (couponIds.length === 0) return new Set();
  const found = await rows<{ couponId: string }>(
    database,
    `select coupon_id from coupon
     where coupon_id = any(:couponIds) and tenant_id = :tenantId and user_id = :userId and status = 'available'`,
    { couponIds, ...owner },
  );
  return new Set(found.map((row) => row.couponId));
}
