import { z } from 'zod';

/** Amounts are in units of the currency, with two decimals. Only cash counts: points and coupons are no revenue. */
const amounts = {
  currency: z.string(),
  /** Orders that were paid. */
  orders: z.int(),
  /** Amount received for them. */
  paid: z.number(),
  /** What of it was given back since, or will be. */
  refunded: z.number(),
  /** `paid` less `refunded`. */
  net: z.number(),
};

export const revenueSumSchema = z.object(amounts);
export type RevenueSum = z.infer<typeof revenueSumSchema>;

export const revenueSchema = z.object({
  /** For how many days after its send orders count. */
  windowDays: z.int(),
  totals: z.array(
    z.object({
      ...amounts,
      /** `paid` for each order. */
      averageOrder: z.number(),
    }),
  ),
  byAction: z.array(z.object({ messageIndex: z.int(), actionIndex: z.int(), label: z.string(), ...amounts })),
});
export type Revenue = z.infer<typeof revenueSchema>;
