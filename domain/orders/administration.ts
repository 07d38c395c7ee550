import { z } from 'zod';
import { text } from '../api/primitives.ts';
import { orderSorts } from '../lists/sorts.ts';
import { paymentOptionSchema, pricingTypes } from './administration/catalogue.ts';
import { versionFields } from './administration/versions.ts';
import { currencySchema } from './currencies.ts';
import { MINOR_PER_UNIT, moneySchema, pointsSchema, toMinor } from './money.ts';
import { orderId as identifier, orderText, storedId } from './requests.ts';

/** Requests by staff (`order_admin`). */
export const putTenantSchema = z
  .object({
    name: orderText.min(1),
    businessType: z.union([z.literal(0), z.literal(1)]),
    PAYGW_shopId: storedId.nullish(),
    /** An ISO 4217 code of a currency with two decimals; `TWD` where missing. */
    currency: currencySchema.nullish(),
    districtId: storedId.nullish(),
    selfGoverned: z.boolean().nullish(),
    /** Changing it takes the role `tenant_admin` as well, as does another shop while refunds need approval. */
    headquartersTenantId: storedId.nullish(),
    earnAttributes: z.array(identifier).nullish(),
    /**
     * Refunds above this amount, in units of its currency, wait until another member of staff approves; null: none does. Where
     * missing it stays as it is. Changing it takes the role `tenant_admin` as well.
     */
    refundsNeedApprovalAbove: moneySchema.nullish(),
  })
  .meta({ id: 'PutTenant' });
export type PutTenant = z.infer<typeof putTenantSchema>;

/** A tenant as it was put. */
export const tenantSchema = putTenantSchema.extend({ tenantId: z.string(), ...versionFields });

export const changeTenantSchema = z
  .object({
    /** Refunds above this amount, in units of the tenant's currency, wait for another member of staff; null: none does. */
    refundsNeedApprovalAbove: moneySchema.nullable(),
  })
  .meta({ id: 'ChangeTenant' });
export type ChangeTenant = z.infer<typeof changeTenantSchema>;

export const putGoodsSchema = z
  .object({
    tenantId: identifier,
    name: orderText.min(1),
    pricingType: z.enum(pricingTypes),
    /** Null makes it unlimited; where missing it stays as it is. */
    stock: pointsSchema.nullish(),
    paymentOptions: z.array(paymentOptionSchema).min(1),
  })
  .superRefine((goods, context) => {
    const ids = new Set(goods.paymentOptions.map((option) => option.paymentOptionId));
    if (ids.size !== goods.paymentOptions.length)
      context.addIssue({ code: 'custom', path: ['paymentOptions'], message: 'must not name an option twice' });
    if (goods.pricingType !== 'RATE_CONVERTED') return;
    const [option, ...others] = goods.paymentOptions;
    const converts =
      option && others.length === 0 && option.pointAmount === 0 && toMinor(option.cashAmount) % MINOR_PER_UNIT === 0;
    if (!converts)
      context.addIssue({
        code: 'custom',
        path: ['paymentOptions'],
        message: 'RATE_CONVERTED goods have exactly one option, with pointAmount 0 and a whole cashAmount',
      });
  })
  .meta({ id: 'PutGoods' });
export type PutGoods = z.infer<typeof putGoodsSchema>;

export const putCouponSchema = z
  .object({ tenantId: identifier, userId: storedId, name: orderText })
  .meta({ id: 'PutCoupon' });
export type PutCoupon = z.infer<typeof putCouponSchema>;

export const pointKinds = ['tenant', 'district', 'wallet'] as const;
export type PointKind = (typeof pointKinds)[number];

export const grantPointsSchema = z
  .object({
    tenantId: identifier,
    userId: storedId,
    kind: z.enum(pointKinds),
    amount: pointsSchema,
    /** The same key grants only once. */
    key: storedId,
  })
  .meta({ id: 'GrantPoints' });
export type GrantPoints = z.infer<typeof grantPointsSchema>;

export const pointsQuerySchema = z.object({ tenantId: identifier, userId: identifier });

/** What a list of orders can be limited to, and its order. */
export const orderFilterSchema = z.object({
  /** A status's code or its name. */
  status: orderText.optional(),
  /** Part of an order number or title, or an order id, or a user id. */
  q: orderText.optional(),
  /** Only orders with a flag that staff have not decided on, or an open dispute. */
  flagged: z.enum(['true', 'false']).optional(),
  /** Only orders with a refund or a dispute that needs staff, or a refund that waits for an approval. */
  needsStaff: z.enum(['true', 'false']).optional(),
  /** Newest first where absent. */
  sort: z.enum(orderSorts).optional(),
});

export type OrderFilter = z.infer<typeof orderFilterSchema>;

export const orderSearchSchema = orderFilterSchema.extend({
  cursor: text(512).optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
});

export const resolveOrderSchema = z.object({ outcome: z.enum(['complete', 'refund']) }).meta({ id: 'ResolveOrder' });
export type Resolution = z.infer<typeof resolveOrderSchema>['outcome'];

export const noteOrderSchema = z.object({ text: orderText.trim().min(1) }).meta({ id: 'NoteOrder' });

export const resolveCallbackSchema = z
  .object({ outcome: z.enum(['refund', 'ignore']), note: orderText.min(1) })
  .meta({ id: 'ResolveCallback' });
export type ResolveCallback = z.infer<typeof resolveCallbackSchema>;
