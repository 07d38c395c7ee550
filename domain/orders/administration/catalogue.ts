import { z } from 'zod';
import { page, pagePart, timestamp } from '#domain/api/primitives.ts';
import { deltaSchema, moneySchema, pointsSchema } from '../money.ts';
import { versionFields } from './versions.ts';
import { orderId as identifier, orderText, storedId } from '../requests.ts';
import { titleField } from '../order-title.ts';

/** Goods and coupons as staff see them, and the requests about them beyond `administration.ts`. */

export const pricingTypes = ['PAYMENT_OPTIONS', 'RATE_CONVERTED'] as const;

export const paymentOptionSchema = z.object({
  paymentOptionId: identifier,
  name: orderText,
  pointAmount: pointsSchema,
  cashAmount: moneySchema,
});

export const goodsSchema = z
  .object({
    goodsId: z.string(),
    tenantId: z.string(),
    name: z.string(),
    pricingType: z.enum(pricingTypes),
    /** What is on the shelf; null if unlimited. Free is `stock - held`. */
    stock: pointsSchema.nullable(),
    /** What payments in progress hold. */
    held: z.int(),
    paymentOptions: z.array(paymentOptionSchema),
    updatedAt: timestamp,
    ...versionFields,
  })
  .meta({ id: 'Goods' });
export type GoodsData = z.infer<typeof goodsSchema>;

/** Without `tenantId`: the session's own tenant. */
export const goodsSearchSchema = z.object({
  tenantId: identifier.optional(),
  /** Part of an id or a name. */
  q: orderText.optional(),
  ...pagePart,
});

export const changeStockSchema = z
  .object({
    delta: deltaSchema,
    reason: orderText.min(1),
    /** The same key changes the stock only once. */
    key: storedId,
  })
  .meta({ id: 'ChangeStock' });
export type ChangeStock = z.infer<typeof changeStockSchema>;

const stockChangeSchema = z.object({
  at: timestamp,
  /** Null for what an order changed. */
  actor: z.string().nullable(),
  /** Null where the stock was set by PUT from or to unlimited. */
  delta: z.int().nullable(),
  /** Null for a PUT, and for what an order changed. */
  reason: z.string().nullable(),
  /** The order that was sold, where `delta` is below 0, or whose goods were put back; null for what staff did by hand. */
  orderId: z.string().nullable(),
  /** Afterwards; null if unlimited. */
  stock: z.int().nullable(),
});

export const stockChangePageSchema = page(stockChangeSchema.extend(titleField)).meta({ id: 'StockChangePage' });

export const couponStatuses = ['available', 'reserved', 'used'] as const;

export const couponSchema = z
  .object({
    couponId: z.string(),
    tenantId: z.string(),
    userId: z.string(),
    name: z.string(),
    status: z.enum(couponStatuses),
    /** The order that holds or used it. */
    orderId: z.string().nullable(),
    ...versionFields,
  })
  .meta({ id: 'Coupon' });
export type CouponData = z.infer<typeof couponSchema>;

/** Without `tenantId`: the session's own tenant. */
export const couponSearchSchema = z.object({
  tenantId: identifier.optional(),
  userId: identifier.optional(),
  status: z.enum(couponStatuses).optional(),
  ...pagePart,
});
