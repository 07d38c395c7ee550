import { z } from 'zod';
import { platformId, text } from '../api/primitives.ts';
import { invoiceFields } from './invoice.ts';
import { moneySchema, pointsSchema, toMinor } from './money.ts';
import type { Draft } from './pricing.ts';

/** Requests by the payer. Null counts as missing in every optional field; unknown keys are ignored. */
export const orderText = text(2000);
export const orderId = orderText.min(1);

/** An id or key that is stored as one: short enough for an index, whatever characters it has. */
export const storedId = platformId;

const webUrl = z
  .url({ protocol: /^https?$/, hostname: /.+/ })
  .max(2000)
  .refine((value) => !value.includes('\u0000') && value.isWellFormed(), 'must not contain NUL or broken characters');

const earnLimitInfos = z.array(z.object({ attribute: orderText, points: pointsSchema }));

const couponIds = z
  .array(orderId)
  .refine((ids) => new Set(ids).size === ids.length, 'must not name the same coupon twice');

export const pointsPlanSchema = z.object({
  tenantPoints: pointsSchema.nullish(),
  districtPoints: pointsSchema.nullish(),
  walletPoints: pointsSchema.nullish(),
  couponIds: couponIds.nullish(),
  earnLimitInfos: earnLimitInfos.nullish(),
});

const itemSchema = z.object({
  goodsId: orderId,
  qty: z.int().min(1).max(9_999_999_999).nullish(),
  paymentOptionId: orderText.nullish(),
});

/** A text, or null for whatever is none. */
const textOrNothing = (longest: number) => {
  const schema = text(longest).min(1);
  return z.preprocess((value) => schema.safeParse(value).data ?? null, schema.nullable()).optional();
};

/**
 * Whom a program with an API key calls for. A person calls for nobody else: theirs is ignored, whatever it is, as any
 * unknown field.
 */
const forPayer = {
  /** Only for API keys, and required there: the payer whose order it is. */
  userId: textOrNothing(200),
};

/** A contact of the tenant, as its outreach knows it. */
export const contactOfOrderSchema = z.object({ serviceNumberId: storedId, contactId: storedId });
export type ContactOfOrder = z.infer<typeof contactOfOrderSchema>;

export const createOrderSchema = z
  .object({
    tenantId: orderId,
    title: orderText.nullish(),
    description: orderText.nullish(),
    moneyAmount: moneySchema.nullish(),
    grossMoneyAmount: moneySchema.nullish(),
    pointsPlan: pointsPlanSchema.nullish(),
    items: z.array(itemSchema).min(1).nullish(),
    /** Of the link of a campaign that led here. Whatever it is, the order is created; one that is ours is remembered. */
    clickToken: z.unknown().optional(),
    /** Whom the order is for, if the shop knows: what it is paid counts as revenue of this contact. */
    contact: contactOfOrderSchema.nullish(),
    ...forPayer,
    /** Only for API keys: how staff read the payer. */
    payerName: textOrNothing(2000),
    ...invoiceFields,
  })
  .meta({ id: 'CreateOrder' });
export type CreateOrder = z.infer<typeof createOrderSchema>;

/** A missing tenantId gets the same response as a wrong one (90200), so the schema lets it pass. */
const tenantOfOrder = orderText.nullish();

export const itemRequestSchema = z
  .object({ tenantId: tenantOfOrder, orderId, ...forPayer })
  .meta({ id: 'OrderItemRequest' });

export const payRequestSchema = z
  .object({
    tenantId: tenantOfOrder,
    reserveTimeoutSeconds: z.int().min(60).max(86_400).nullish(),
    resultURL: webUrl.nullish(),
    cancelURL: webUrl.nullish(),
    ...forPayer,
  })
  .meta({ id: 'PayOrder' });

export const cancelRequestSchema = z.object({ tenantId: tenantOfOrder, ...forPayer }).meta({ id: 'CancelOrder' });

export const listRequestSchema = z
  .object({
    tenantId: orderId,
    /** A status's code or its name. */
    status: orderText.nullish(),
    cursor: text(512).nullish(),
    limit: z.int().min(1).max(200).nullish(),
    ...forPayer,
  })
  .meta({ id: 'ListOrders' });

/** The payer's own points at a tenant. */
export const ownBalancesSchema = z.object({ tenantId: orderId, ...forPayer }).meta({ id: 'OwnPoints' });

/** What the payer has at a tenant, page by page. */
export const ownedListSchema = z
  .object({ tenantId: orderId, cursor: text(4096).nullish(), limit: z.int().min(1).max(200).nullish(), ...forPayer })
  .meta({ id: 'OwnedList' });

/** The value of an `Idempotency-Key`: 1 to 200 printable ASCII characters. */
export const idempotencyKey = z.string().regex(/^[\x20-\x7e]{1,200}$/, 'must be 1 to 200 printable characters');

/** Holds last half an hour unless the payer asks for something else. */
export const DEFAULT_RESERVE_TIMEOUT_SECONDS = 1800;

/** The amounts of a create request, in the form that pricing uses. */
export function draftOf(body: CreateOrder): Draft {
  const plan = body.pointsPlan ?? {};
  const minor = (amount: number | null | undefined) =>
    amount === null || amount === undefined ? null : toMinor(amount);
  return {
    moneyMinor: minor(body.moneyAmount),
    grossMinor: minor(body.grossMoneyAmount),
    tenantPoints: plan.tenantPoints ?? 0,
    districtPoints: plan.districtPoints ?? 0,
    walletPoints: plan.walletPoints ?? 0,
    couponIds: plan.couponIds ?? [],
    earnLimitInfos: plan.earnLimitInfos ?? null,
    items:
      body.items?.map((item) => ({
        goodsId: item.goodsId,
        qty: item.qty ?? 1,
        paymentOptionId: item.paymentOptionId ?? null,
      })) ?? null,
    carrierId: body.carrierId ?? null,
  };
}
