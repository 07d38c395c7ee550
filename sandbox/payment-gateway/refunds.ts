import { z } from 'zod';
import { SandboxError } from '../http/route.ts';
import type { Call } from '../http/route.ts';
import { createId } from '../random.ts';
import type { Callbacks, RefundCallbackChanges } from './callbacks.ts';
import { amountSchema, chargeOf, disputedOf, presentCharge, refundsOf, statusNow } from './charges.ts';
import type { Charge, Charges, Refund } from './charges.ts';
import { read } from './keyed.ts';

export interface RefundDeps {
  charges: Charges;
  callbacks: Callbacks;
}

export const refundSchema = z.object({
  /** What is left, if absent. */
  amount: amountSchema.nullish().transform((amount) => amount ?? undefined),
});

export interface RefundInput {
  amount?: number | undefined;
  /** What the callback reports instead; false sends none. */
  callback?: RefundCallbackChanges | false | undefined;
}

/**
 * Gives back all that is left of a paid charge, or a part of it, and reports that; the charge stays `paid` until all of it
 * was refunded.
 * @throws Refusal 409 `not_paid` or `already_refunded` with the status, 422 `amount_too_large`
 */
export function refundCharge(
  { charges, callbacks }: RefundDeps,
  charge: Charge,
  { amount, callback, key = null }: RefundInput & { key?: string | null },
): { charge: Charge; refund: Refund } {
  const status = statusNow(charge);
  if (status === 'refunded') throw new SandboxError(409, 'already_refunded', 'nothing is left to refund', { status });
  if (status !== 'paid') throw new SandboxError(409, 'not_paid', `the charge is ${status}`, { status });
  const { left } = refundsOf(charge);
  if (left === 0 || (amount !== undefined && amount > left))
    throw new SandboxError(422, 'amount_too_large', `no more than ${left} can be refunded`);
  const refund: Refund = { refundId: createId('re'), key, amount: amount ?? left, at: new Date().toISOString() };
  const refunded: Charge = {
    ...charge,
    status: disputedOf(charge) === 0 && refund.amount === left ? 'refunded' : 'paid',
    refunds: [...(charge.refunds ?? []), refund],
  };
  charges.put(refunded);
  if (callback !== false) callbacks.sendRefund(refunded, refund, callback);
  return { charge: refunded, refund };
}

/** The same as a caller with a key asks for it. @throws Refusal 404 as well */
export function refundByKey(deps: RefundDeps, call: Call, key: string) {
  const { amount } = read(call, refundSchema);
  const { charge, refund } = refundCharge(deps, chargeOf(deps.charges, call), { amount, key });
  const { chargeId, status, refundedAmount } = presentCharge(charge);
  return { status: 200, body: { refundId: refund.refundId, chargeId, status, refundedAmount } };
}
