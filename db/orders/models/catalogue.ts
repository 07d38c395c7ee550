import { Model, raw } from 'objection';
import type { BusinessType, PaymentOption, PricingType } from '#domain/orders/pricing.ts';

/** What a write of staff gives a tenant, goods or a coupon; no two rows ever have the same. */
export const nextVersion = raw(`nextval('orders.version')`);

export class Tenant extends Model {
  static override tableName = 'tenant';
  static override idColumn = 'tenantId';

  declare tenantId: string;
  declare name: string;
  declare businessType: BusinessType;
  declare shopId: string | null;
  declare currency: string;
  declare districtId: string | null;
  declare selfGoverned: boolean;
  declare headquartersTenantId: string | null;
  declare earnAttributes: string[];
  /** In its currency; null if refunds need no approval. */
  declare refundsNeedApprovalAboveMinor: number | null;
  declare updatedAt: Date;
  declare version: number;
}

export class Goods extends Model {
  static override tableName = 'goods';
  static override idColumn = 'goodsId';
  static override jsonAttributes = ['paymentOptions'];

  declare goodsId: string;
  declare tenantId: string;
  declare name: string;
  declare pricingType: PricingType;
  /** Null if stock is unlimited. What is available is `stock - held`. */
  declare stock: number | null;
  declare held: number;
  declare paymentOptions: PaymentOption[];
  declare updatedAt: Date;
  declare version: number;
}

export class StockChange extends Model {
  static override tableName = 'stock_change';
  static override idColumn = 'changeId';

  declare changeId: number;
  declare goodsId: string;
  declare at: Date;
  /** Null for what an order changed. */
  declare actor: string | null;
  declare orderId: string | null;
  /** Null where the stock was set from or to unlimited. */
  declare delta: number | null;
  /** Null, like the key, where goods were put. */
  declare reason: string | null;
  /** Afterwards; null if unlimited. */
  declare stock: number | null;
  declare key: string | null;
}

export class Coupon extends Model {
  static override tableName = 'coupon';
  static override idColumn = 'couponId';

  declare couponId: string;
  declare tenantId: string;
  declare userId: string;
  declare name: string;
  declare status: 'available' | 'reserved' | 'used';
  declare orderId: string | null;
  declare version: number;
}
