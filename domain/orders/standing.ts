import { type SweepRuns, workerReasons, workerTrouble } from '../recurring/sweep.ts';
import { type OrderStatus, orderStatus } from './states.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * What an order can be at, and for how many milliseconds that may go on without any progress. `payment`: the payer may
 * take as long as the hold lasts, but the charge is read every five minutes at most.
 */
export const orderPhaseMs = {
  decision: HOUR,
  approval: HOUR,
  reservation: MINUTE,
  charge: MINUTE,
  end: MINUTE,
  callback: MINUTE,
  payment: 7 * MINUTE,
  refund: 5 * MINUTE,
} as const;
export type OrderPhase = keyof typeof orderPhaseMs;
export const orderPhases = Object.keys(orderPhaseMs) as [OrderPhase, ...OrderPhase[]];

export const orderReasons = [
  'staff',
  'approval',
  'gateway_away',
  'money_not_shown',
  ...workerReasons,
  'unexplained',
] as const;
export type OrderReason = (typeof orderReasons)[number];

/** Who ends it: staff of the tenant, the gateway by itself, or those who run the service. */
export const orderWaitsFor: Record<OrderReason, 'people' | 'partner' | 'service'> = {
  staff: 'people',
  approval: 'people',
  gateway_away: 'service',
  money_not_shown: 'partner',
  worker_away: 'service',
  engine_away: 'service',
  unexplained: 'service',
};

/** What an order's rows say about its work. */
export interface OrderWork {
  orderStatus: OrderStatus;
  changedAt: Date;
  /** Since when a flag, or a refund that the gateway does not carry out, waits for a decision. */
  undecidedSince: Date | null;
  /** Since when a refund waits for another member of staff. */
  approvalSince: Date | null;
  /** The payment that holds something; null if none does. */
  hold: {
    since: Date;
    isCharged: boolean;
    cancelRequested: boolean;
    expiresAt: Date;
    /** When the gateway last told of the charge; null if it never did. */
    readAt: Date | null;
    /** Of the oldest callback that no read has followed. */
    callbackSince: Date | null;
    /** Since when every call to the gateway about it has failed. */
    unansweredSince: Date | null;
  } | null;
  /** The oldest refund that is not confirmed. */
  refund: {
    since: Date;
    /** Since when the gateway shows no money to give back. */
    unpaidSince: Date | null;
    unansweredSince: Date | null;
  } | null;
}

export interface OrderStanding {
  phase: OrderPhase;
  reason: OrderReason;
  /** When the order last made progress. */
  since: Date;
  /** For how long the phase may go on without. */
  expectedMs: number;
  /** Since when the reason holds, if the rows say so. */
  reasonSince: Date | null;
}

type Cause = Pick<OrderStanding, 'reason'> & Partial<Pick<OrderStanding, 'reasonSince'>>;

interface Wait {
  phase: OrderPhase;
  /** Null where the order is not at it. */
  since: Date | null;
  cause: Cause;
}

function machineCause(unansweredSince: Date | null, sweep: SweepRuns, now: Date): Cause {
  const trouble = workerTrouble(sweep, now);
  if (trouble) return { reason: trouble.reason, reasonSince: trouble.since };
  return unansweredSince === null
    ? { reason: 'unexplained' }
    : { reason: 'gateway_away', reasonSince: unansweredSince };
}

function waitsOfHold({ orderStatus: status, changedAt, undecidedSince, hold }: OrderWork, now: Date, cause: Cause) {
  const waits: Wait[] = [];
  const add = (phase: OrderPhase, since: Date | null) => waits.push({ phase, since, cause });
  if (status === orderStatus.POINTS_UNKNOWN) add('reservation', changedAt);
  // A flagged payment waits for staff, whatever else is due.
  if (hold === null || undecidedSince !== null) return waits;
  if (!hold.isCharged) add('charge', hold.since);
  else {
    const hasExpired = hold.expiresAt <= now;
    if (hold.cancelRequested || hasExpired) add('end', hasExpired ? hold.expiresAt : changedAt);
    add('callback', hold.callbackSince);
    add('payment', hold.readAt ?? hold.since);
  }
  return waits;
}

function waitsOfRefund({ refund }: OrderWork, sweep: SweepRuns, now: Date): Wait[] {
  if (refund === null) return [];
  const machine = machineCause(refund.unansweredSince, sweep, now);
  const isUnpaid = machine.reason === 'unexplained' && refund.unpaidSince !== null;
  const cause: Cause = isUnpaid ? { reason: 'money_not_shown', reasonSince: refund.unpaidSince } : machine;
  return [{ phase: 'refund', since: refund.since, cause }];
}

/**
 * What an order has been at for longer than that is expected to take without progress, and why, as far as its rows tell;
 * null if it goes on, or nothing is expected of it.
 */
export function standingOf(work: OrderWork, sweep: SweepRuns, now: Date): OrderStanding | null {
  const ofHold = machineCause(work.hold?.unansweredSince ?? null, sweep, now);
  const waits: Wait[] = [
    ...waitsOfHold(work, now, ofHold),
    ...waitsOfRefund(work, sweep, now),
    { phase: 'decision', since: work.undecidedSince, cause: { reason: 'staff' } },
    { phase: 'approval', since: work.approvalSince, cause: { reason: 'approval' } },
  ];
  for (const { phase, since, cause } of waits) {
    const expectedMs = orderPhaseMs[phase];
    if (since === null || now.getTime() - since.getTime() <= expectedMs) continue;
    return { phase, since, expectedMs, reasonSince: null, ...cause };
  }
  return null;
}
