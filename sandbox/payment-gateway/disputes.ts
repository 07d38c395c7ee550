import { SandboxError } from '../http/route.ts';
import { createId } from '../random.ts';
import type { Callbacks, DisputeCallbackChanges } from './callbacks.ts';
import { statusNow } from './charges.ts';
import type { Charge, Charges, Dispute } from './charges.ts';

export interface DisputeDeps {
  charges: Charges;
  callbacks: Callbacks;
}

export interface DisputeInput {
  /** All of the charge, if absent. */
  amount?: number | undefined;
  reason?: string | undefined;
  /** In a week, if absent. */
  dueAt?: string | undefined;
  /** What the callback reports instead; false sends none. */
  callback?: DisputeCallbackChanges | false | undefined;
}

const WEEK_MS = 7 * 86_400_000;

/**
 * The payer claims money back through their bank, and the application is told.
 * @throws Refusal 409 `not_paid`, 422 `amount_too_large`
 */
export function openDispute(
  { charges, callbacks }: DisputeDeps,
  charge: Charge,
  { amount = charge.amount, reason = 'fraudulent', dueAt, callback }: DisputeInput,
): Dispute {
  const status = statusNow(charge);
  if (status !== 'paid' && status !== 'refunded')
    throw new SandboxError(409, 'not_paid', `the charge is ${status}`, { status });
  if (amount > charge.amount)
    throw new SandboxError(422, 'amount_too_large', `no more than ${charge.amount} can be disputed`);
  const now = new Date();
  const dispute: Dispute = {
    disputeId: createId('dp'),
    amount,
    reason,
    dueAt: dueAt ?? new Date(now.getTime() + WEEK_MS).toISOString(),
    openedAt: now.toISOString(),
  };
  const disputed = { ...charge, disputes: [...(charge.disputes ?? []), dispute] };
  charges.put(disputed);
  if (callback !== false) callbacks.sendDispute(disputed, dispute, callback);
  return dispute;
}

/** The dispute that is named, or the newest one. @throws Refusal 404 */
export function disputeOf({ disputes = [] }: Charge, disputeId: string | undefined): Dispute {
  const dispute = disputes.findLast((one) => disputeId === undefined || one.disputeId === disputeId);
  if (!dispute) throw new SandboxError(404, 'not_found', 'there is no such dispute');
  return dispute;
}

export interface ClosureInput {
  /** The newest, if absent. */
  disputeId?: string | undefined;
  outcome: 'won' | 'lost';
  callback?: DisputeCallbackChanges | false | undefined;
}

/**
 * The bank decides, and the application is told: won, the merchant keeps the money; lost, the payer has it back.
 * @throws Refusal 404; 409 `already_closed`
 */
export function closeDispute(
  { charges, callbacks }: DisputeDeps,
  charge: Charge,
  { disputeId, outcome, callback }: ClosureInput,
): Dispute {
  const open = disputeOf(charge, disputeId);
  if (open.outcome) throw new SandboxError(409, 'already_closed', `the dispute is ${open.outcome}`);
  const closed: Dispute = { ...open, outcome, closedAt: new Date().toISOString() };
  const disputes = (charge.disputes ?? []).map((one) => (one.disputeId === open.disputeId ? closed : one));
  charges.put({ ...charge, disputes });
  if (callback !== false) callbacks.sendClosure(charge, closed, callback);
  return closed;
}
