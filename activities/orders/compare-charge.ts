import type { Flag } from '../../db/orders/events/flags.ts';

/** What was agreed for a charge. */
export interface ChargedTerms {
  chargeId: string;
  /** In units. */
  amount: number;
  currency: string;
  shopId: string;
}

/** How the gateway's report of a charge (its own record, or a callback) differs from what was agreed. */
export function mismatches(agreed: ChargedTerms, told: Omit<ChargedTerms, 'chargeId'>): Flag[] {
  const flags: Flag[] = [];
  if (told.amount !== agreed.amount)
    flags.push({ code: 'amount_mismatch', expected: String(agreed.amount), reported: String(told.amount) });
  if (told.currency !== agreed.currency)
    flags.push({ code: 'currency_mismatch', expected: agreed.currency, reported: told.currency });
  if (told.shopId !== agreed.shopId)
    flags.push({ code: 'shop_mismatch', expected: agreed.shopId, reported: told.shopId });
  return flags;
}
