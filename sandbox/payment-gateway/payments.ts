import { Refusal } from '../http/route.ts';
import type { CallbackChanges, Callbacks } from './callbacks.ts';
import { statusNow } from './charges.ts';
import type { Charge, Charges } from './charges.ts';

export interface PaymentDeps {
  charges: Charges;
  callbacks: Callbacks;
}

export interface PayInput {
  /** Take the money though the charge has ended. */
  late?: boolean | undefined;
  /** What the charge says from now on, to play a gateway that has booked something else. */
  charge?: { amount?: number | undefined; currency?: string | undefined; shopId?: string | undefined } | undefined;
  /** What the callback says instead; false sends none. */
  callback?: CallbackChanges | false | undefined;
}

/**
 * The customer pays: the charge is paid, and its callback goes out.
 * @throws Refusal 409 where the charge has ended (unless `late`) or is paid
 */
export function payCharge({ charges, callbacks }: PaymentDeps, charge: Charge, input: PayInput = {}): Charge {
  const status = statusNow(charge);
  const ended = status === 'expired' || status === 'cancelled';
  if (status === 'paid' || status === 'refunded' || (ended && !input.late)) {
    throw new Refusal(409, 'not_payable', `the charge is ${status}`, { status });
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
