import { type Minor, nearestMinor, toMinor } from './money.ts';
import type { DifferenceKind } from './administration/reconciliation.ts';

/** What the payment gateway says of a charge; `refunded` once nothing of its money is left. */
export const chargeStatuses = ['pending', 'paid', 'cancelled', 'expired', 'refunded'] as const;
export type ChargeStatus = (typeof chargeStatuses)[number];

/** A charge as the payment gateway shows it. */
export interface TheirCharge {
  status: ChargeStatus;
  /** In units. */
  amount: number;
  currency: string;
  /** What was given back so far, in units; may be 0 although the status is `refunded`. */
  refundedAmount: number;
  /** What its disputes took that are open or lost, in units, apart from what was refunded; null if it does not say. */
  disputedAmount: number | null;
}

/** What we know about the same charge. Amounts in minor units. */
export interface OurCharge {
  /** Null if neither the charge nor the order number is ours. */
  orderId: string | null;
  /** What its order has accepted; null if it has not accepted the money. */
  acceptedMinor: number | null;
  /** Of the order; null without one. */
  currency: string | null;
  /** Given back by refunds of staff that the gateway has confirmed, without what was lost in disputes. */
  refundedMinor: number;
  /** Given back in another way than through the gateway, which shows no refund for it. */
  refundedElsewhereMinor: number;
  /** Asked for by refunds that are not confirmed yet. */
  refundingMinor: number;
  /** Held for disputes that are open, or lost in them. */
  disputedMinor: number;
  /** The refund of money that no order accepts; null if none was decided. */
  unaccepted: 'open' | 'confirmed' | 'done_elsewhere' | null;
  /** Staff decided to leave the money where it is. */
  ignored: boolean;
}

/** Amounts in minor units, as they are shown: null for nothing. */
export interface ChargeDifference {
  kind: DifferenceKind;
  oursMinor: number | null;
  theirsMinor: number | null;
}

/** Whether the gateway has received money for the charge, whatever became of it later. */
export const wasPaid = ({ status }: Pick<TheirCharge, 'status'>): boolean => status === 'paid' || status === 'refunded';

/** What the gateway has refunded of a charge, in minor units. */
export const refundedThere = ({
  status,
  amount,
  refundedAmount,
  disputedAmount,
}: Omit<TheirCharge, 'currency'>): Minor =>
  nearestMinor(status === 'refunded' ? Math.max(refundedAmount, amount - (disputedAmount ?? 0)) : refundedAmount);

/** What is left of so much after disputes: one may claim more. */
function lessDisputed(leftMinor: Minor, { disputedAmount }: TheirCharge, { disputedMinor }: OurCharge): Minor {
  const disputed = disputedAmount === null ? disputedMinor : nearestMinor(disputedAmount);
  return leftMinor - Math.min(disputed, Math.max(0, leftMinor));
}

/**
 * Money that an order has accepted: the amounts must be equal, before and after refunds. One with more than two decimals
 * is shown rounded, and never equal.
 */
function acceptedDifference(theirs: TheirCharge, ours: OurCharge, acceptedMinor: number): ChargeDifference | null {
  if (theirs.currency !== ours.currency || toMinor(theirs.amount) !== acceptedMinor)
    return { kind: 'amount_differs', oursMinor: acceptedMinor, theirsMinor: nearestMinor(theirs.amount) };
  const unrefunded = acceptedMinor - nearestMinor(theirs.refundedAmount);
  const theirsLeft = theirs.status === 'refunded' ? 0 : lessDisputed(unrefunded, theirs, ours);
  // A refund under way may have reached the gateway already.
  const most = acceptedMinor - ours.refundedMinor - ours.disputedMinor;
  const least = most - ours.refundingMinor - ours.refundedElsewhereMinor;
  if (theirsLeft >= least && theirsLeft <= most) return null;
  return { kind: 'amount_differs', oursMinor: most - ours.refundedElsewhereMinor, theirsMinor: theirsLeft };
}

/**
 * How a charge that the gateway has received money for differs from what we have recorded; null if it does not.
 * Refunds under way, disputes, and money that staff have decided about, explain themselves.
 */
export function chargeDifference(theirs: TheirCharge, ours: OurCharge): ChargeDifference | null {
  if (!wasPaid(theirs)) return null;
  if (ours.acceptedMinor !== null) return acceptedDifference(theirs, ours, ours.acceptedMinor);
  const unrefunded = nearestMinor(theirs.amount) - nearestMinor(theirs.refundedAmount);
  const left = theirs.status === 'refunded' ? 0 : lessDisputed(unrefunded, theirs, ours);
  if (left <= 0 || ours.ignored || ours.unaccepted === 'open' || ours.unaccepted === 'done_elsewhere') return null;
  if (ours.unaccepted === 'confirmed') return { kind: 'amount_differs', oursMinor: 0, theirsMinor: left };
  const kind = ours.orderId === null ? 'unknown_order' : 'paid_there_only';
  return { kind, oursMinor: null, theirsMinor: nearestMinor(theirs.amount) };
}
