import { z } from 'zod';
import { SandboxError } from '../http/route.ts';
import { presentCharge, presentedSchema } from './charges.ts';
import type { Charge } from './charges.ts';

const LONGEST_PAGE = 100;
const instant = z.iso.datetime({ offset: true });

export const listQuery = z.object({
  shopId: z.string().min(1).max(200),
  /** A charge belongs to the period if it was created or paid from here on, a refund if it was made then … */
  from: instant,
  /** … and before this. */
  to: instant,
  cursor: z.string().min(1).optional(),
  limit: z.coerce.number().int().min(1).max(LONGEST_PAGE).default(LONGEST_PAGE),
});
export type ListQuery = z.infer<typeof listQuery>;

export const listSchema = z.object({
  items: z.array(presentedSchema.extend({ orderNo: z.string(), createdAt: z.string() })),
  nextCursor: z.string().nullable(),
});

function isWithin({ from, to }: ListQuery): (charge: Charge) => boolean {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const lies = (at: string | undefined): boolean => at !== undefined && Date.parse(at) >= start && Date.parse(at) < end;
  return ({ createdAt, paidAt }) => lies(createdAt) || lies(paidAt);
}

/** The charges after the cursor's; creation never reorders them, so pages neither repeat nor skip one. */
function after(charges: Charge[], cursor: string | undefined): Charge[] {
  if (cursor === undefined) return charges;
  const position = charges.findIndex(({ chargeId }) => chargeId === cursor);
  if (position < 0) throw new SandboxError(400, 'invalid_request', '/cursor: there is no such cursor');
  return charges.slice(position + 1);
}

/**
 * One page of a shop's charges in a period, oldest first.
 * @throws Refusal 400 for a cursor that no page returned
 */
export function listCharges(charges: Charge[], query: ListQuery): z.infer<typeof listSchema> {
  const within = isWithin(query);
  const matching = after(charges, query.cursor).filter((charge) => charge.shopId === query.shopId && within(charge));
  const page = matching.slice(0, query.limit);
  const items = page.map((charge) => {
    const { orderNo, createdAt } = charge;
    return { ...presentCharge(charge), orderNo, createdAt };
  });
  return { items, nextCursor: matching.length > page.length ? (page.at(-1)?.chargeId ?? null) : null };
}

export const refundListSchema = z.object({
  items: z.array(
    z.object({
      refundId: z.string(),
      chargeId: z.string(),
      orderNo: z.string(),
      amount: z.number(),
      currency: z.string(),
      refundedAt: z.string(),
      idempotencyKey: z.string().optional(),
    }),
  ),
  nextCursor: z.string().nullable(),
});
type ListedRefund = z.infer<typeof refundListSchema>['items'][number];

const refundsIn = ({ chargeId, orderNo, currency, refunds = [] }: Charge): ListedRefund[] =>
  refunds.map(({ refundId, key, amount, at }) => ({
    refundId,
    chargeId,
    orderNo,
    amount,
    currency,
    refundedAt: at,
    ...(key === null ? {} : { idempotencyKey: key }),
  }));

/**
 * One page of a shop's refunds in a period, oldest first: a new one is behind all that were listed.
 * @throws Refusal 400 for a cursor that no page returned
 */
export function listRefunds(charges: Charge[], query: ListQuery): z.infer<typeof refundListSchema> {
  const [start, end] = [Date.parse(query.from), Date.parse(query.to)];
  const all = charges
    .filter(({ shopId }) => shopId === query.shopId)
    .flatMap(refundsIn)
    .filter(({ refundedAt }) => Date.parse(refundedAt) >= start && Date.parse(refundedAt) < end)
    .toSorted((one, other) => Date.parse(one.refundedAt) - Date.parse(other.refundedAt));
  const position = query.cursor === undefined ? -1 : all.findIndex(({ refundId }) => refundId === query.cursor);
  if (query.cursor !== undefined && position < 0)
    throw new SandboxError(400, 'invalid_request', '/cursor: there is no such cursor');
  const items = all.slice(position + 1, position + 1 + query.limit);
  const more = all.length > position + 1 + items.length;
  return { items, nextCursor: more ? (items.at(-1)?.refundId ?? null) : null };
}
