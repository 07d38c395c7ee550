import { z } from 'zod';
import { SandboxError } from '../http/route.ts';
import type { Call } from '../http/route.ts';
import { amountSchema, chargeOf, presentCharge, refundsOf, statusNow } from './charges.ts';
import type { Charge, Charges } from './charges.ts';
import { read } from './keyed.ts';

export const refundSchema = z.object({
  /** What is left, if absent. */
  amount: amountSchema.nullish().transform((amount) => amount ?? undefined),
});

/**
 * Gives back all that is left of a paid charge, or a part of it; the charge stays `paid` until nothing is left.
 * @throws Refusal 404, 409 `not_paid` or `already_refunded` with the status, 422 `amount_too_large`
 */
export function refundCharge(charges: Charges, call: Call, key: string) {
  const charge = chargeOf(charges, call);
  const { amount } = read(call, refundSchema);
  const status = statusNow(charge);
  if (status === 'refunded') throw new SandboxError(409, 'already_refunded', 'nothing is left to refund', { status });
  if (status !== 'paid') throw new SandboxError(409, 'not_paid', `the charge is ${status}`, { status });
  const { left } = refundsOf(charge);
  if (amount !== undefined && amount > left)
    throw new SandboxError(422, 'amount_too_large', `no more than ${left} can be refunded`);
  const refund = { key, amount: amount ?? left, at: new Date().toISOString() };
  const refunded: Charge = {
    ...charge,
    status: refund.amount === left ? 'refunded' : 'paid',
    refunds: [...(charge.refunds ?? []), refund],
  };
  charges.put(refunded);
  const { chargeId, status: now, refundedAmount } = presentCharge(refunded);
  return { status: 200, body: { chargeId, status: now, refundedAmount } };
}
