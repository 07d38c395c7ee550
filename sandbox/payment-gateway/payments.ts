import { SandboxError } from '../http/route.ts';
import type { CallbackChanges, Callbacks } from './callbacks.ts';
import { statusNow } from './charges.ts';
import type { Charge, Charges } from './charges.ts';

export interface PaymentDeps {
  charges: Charges;
  callbacks: Callbacks;
}

export interface PayInput {
  /** Accept the money even though the charge has ended. */
  late?: boolean | undefined;
  /** What the charge reports from now on, to simulate a gateway that booked something else. */
  charge?: { amount?: number | undefined; currency?: string | undefined; shopId?: string | undefined } | undefined;
  /** What the callback reports instead; false sends none. */
  callback?: CallbackChanges | false | undefined;
}

/**
 * The customer pays: the charge becomes paid, and its callback is sent.
 * @throws Refusal 409 if the charge has ended (unless `late`) or is already paid
 */
export function payCharge({ charges, callbacks }: PaymentDeps, charge: Charge, input: PayInput = {}): Charge {
  const status = statusNow(charge);
  const ended = status === 'expired' || status === 'cancelled';
  if (status === 'paid' || status === 'refunded' || (ended && !input.late)) {
    throw new SandboxError(409, 'not_payable', `the charge is ${status}`, { status });
  }
  const booked = Object.fromEntries(Object.entries(input.charge ?? {}).filter(([, value]) => value !== undefined));
  const paid: Charge = {
    ...charge,
    ...booked,
    status: 'paid',
    paidAt: new Date().toISOString(),
    ...(ended ? { late: true } : {}),
  };
  charges.put(paid);
  if (input.callback !== false) callbacks.send(paid, input.callback);
  return paid;
}
