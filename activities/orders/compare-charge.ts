import type { ChargedTerms } from '#db/orders/charges/sends.ts';
import type { Flag } from '#db/orders/events/flags.ts';

/** How the gateway's report of a charge (its own record, or a callback) differs from what was agreed. */
export function mismatches(agreed: ChargedTerms, report: Omit<ChargedTerms, 'chargeId'>): Flag[] {
  const flags: Flag[] = [];
  if (report.amount !== agreed.amount)
    flags.push({ code: 'amount_mismatch', expected: String(agreed.amount), reported: String(report.amount) });
  if (report.currency !== agreed.currency)
    flags.push({ code: 'currency_mismatch', expected: agreed.currency, reported: report.currency });
  if (report.shopId !== agreed.shopId)
    flags.push({ code: 'shop_mismatch', expected: agreed.shopId, reported: report.shopId });
  return flags;
}
