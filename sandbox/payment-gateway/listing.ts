import { z } from 'zod';
import { SandboxError } from '../http/route.ts';
import { presentCharge, presentedSchema } from './charges.ts';
import type { Charge } from './charges.ts';

const LONGEST_PAGE = 100;
const instant = z.iso.datetime({ offset: true });

export const listQuery = z.object({
  shopId: z.string().min(1).max(200),
  /** A charge belongs to the period if it was created or paid from here on … */
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
