import {
  type Charge,
  GatewayLags,
  type ListedRefund,
  type PaymentGateway,
  type RefundPage,
} from '#clients/payment-gateway/client.ts';
import type { Database } from '#db/database.ts';
import { lostInDisputes } from '#db/orders/disputes/find.ts';
import type { Refund } from '#db/orders/models/refunds.ts';
import {
  confirmRefund,
  findRefund,
  leaveRefundToStaff,
  noteRefundUnanswered,
  noteUnpaid,
  recordAmount,
  refundedOfCharge,
  rejectRefundKey,
} from '#db/orders/refunds/refunds.ts';
import { refundedThere, wasPaid } from '#domain/orders/charge-comparison.ts';
import { fromMinor, type Minor, nearestMinor } from '#domain/orders/money.ts';
import { ownRefundIds, refundKey } from '#domain/orders/refund-keys.ts';
import type { Drive } from './drive.ts';
import { retryNoting } from './gateway-retry.ts';
import { reportRefund } from './reconcile-refunds.ts';

interface RefundDeps extends Pick<Drive, 'startReport'> {
  database: Database;
  gateway: PaymentGateway;
}

/** `booked`: a dispute. `needs_staff`: the gateway rejected it for good, or has not shown the money for a day. */
export type RefundEnd = 'confirmed' | 'booked' | 'needs_staff' | 'unknown_refund';

/** How long to poll for money that the gateway does not show as paid. */
const PATIENCE_MS = 24 * 60 * 60 * 1000;
const LONGEST_PAUSE_MS = 5 * 60 * 1000;
/** The gateway's clock may differ. */
const LIST_MARGIN_MS = 60 * 60 * 1000;

/** The gateway does not show the money: asked for again, ever less often, and after a day left to staff. */
async function waitForMoney({ database }: RefundDeps, refund: Refund, error: string): Promise<RefundEnd> {
  if (Date.now() - refund.askedSince.getTime() > PATIENCE_MS) {
    await leaveRefundToStaff(database, refund.refundId, error);
    return 'needs_staff';
  }
  const pause = Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** Math.min(refund.keyNumber - 1, 20));
  await noteUnpaid(database, refund.refundId);
  throw new GatewayLags(`the charge to refund is ${error}`, pause);
}

const wantedMinor = ({ amountMinor }: Refund, charge: Charge): Minor => amountMinor ?? nearestMinor(charge.amount);

/** What the gateway can still give back of a charge. */
const leftMinor = (charge: Charge): Minor =>
  nearestMinor(charge.amount) - refundedThere(charge) - nearestMinor(charge.disputedAmount ?? 0);

/**
 * How much the gateway is asked for. Money that no order accepts goes back in full: where a part of it did at the desk, or was lost
 * in disputes, the rest, and nothing if there is none. What is still disputed may come back.
 */
async function askedMinor({ database }: RefundDeps, refund: Refund, charge: Charge): Promise<Minor> {
  const wanted = wantedMinor(refund, charge);
  if (refund.kind !== 'unaccepted') return wanted;
  const undecided = nearestMinor(charge.disputedAmount ?? 0) - (await lostInDisputes(database, charge.chargeId));
  return undecided > 0 ? wanted : Math.max(0, Math.min(wanted, leftMinor(charge)));
}

async function ask(
  deps: RefundDeps,
  refund: Refund,
  { charge, asked }: { charge: Charge; asked: Minor },
): Promise<RefundEnd> {
  const { database, gateway } = deps;
  // A gateway may have received fractions of a cent.
  const amount = asked === nearestMinor(charge.amount) ? charge.amount : fromMinor(asked);
  const outcome = await gateway.refundCharge(refundKey(refund), charge.chargeId, amount);
  switch (outcome.kind) {
    case 'confirmed':
      await confirmRefund(database, refund, outcome.refundId);
      return 'confirmed';
    case 'not_paid':
      await rejectRefundKey(database, refund, 'not_paid');
      return waitForMoney(deps, refund, outcome.status ?? 'not paid');
    case 'already_refunded':
      // All of the money is back, by whichever request; for a part it would not be known by whose.
      if (refund.kind === 'unaccepted') {
        await confirmRefund(database, refund);
        return 'confirmed';
      }
      await leaveRefundToStaff(database, refund.refundId, 'already_refunded');
      return 'needs_staff';
    case 'rejected':
      await leaveRefundToStaff(database, refund.refundId, outcome.code);
      return 'needs_staff';
  }
}

/** The gateway's refunds of a charge since shortly before ours was decided; null without such a list. */
async function listRefundsOf({ gateway }: RefundDeps, refund: Refund, charge: Charge): Promise<ListedRefund[] | null> {
  const from = new Date(refund.createdAt.getTime() - LIST_MARGIN_MS).toISOString();
  const to = new Date(Date.now() + LIST_MARGIN_MS).toISOString();
  const found: ListedRefund[] = [];
  let cursor: string | null = null;
  do {
    const page: RefundPage | null = await gateway.listRefunds({ shopId: charge.shopId, from, to, cursor });
    if (page === null) return null;
    found.push(...page.items.filter(({ chargeId }) => chargeId === charge.chargeId));
    cursor = page.nextCursor === cursor ? null : page.nextCursor;
  } while (cursor !== null);
  return found;
}

const isMadeBy =
  ({ refundId }: Refund) =>
  ({ idempotencyKey }: ListedRefund): boolean =>
    ownRefundIds(idempotencyKey).includes(refundId);

/** The desk may have given money back that nobody has told of: once that is booked, ours is for the rest. */
async function reportUntold(deps: RefundDeps, charge: Charge, listed: readonly ListedRefund[]): Promise<void> {
  for (const refund of listed.filter(({ idempotencyKey }) => ownRefundIds(idempotencyKey).length === 0)) {
    const at = Date.parse(refund.refundedAt);
    const date = new Date(Number.isNaN(at) ? Date.now() : at).toISOString().slice(0, 10);
    await reportRefund(deps, { date, shopId: charge.shopId }, refund);
  }
}

/**
 * A refund for more than the gateway has left: it was made already and its response lost, or something else has gone back
 * and it cannot be made. It is not asked for then.
 * @returns null if it can be asked for.
 */
async function endWithoutAsking(
  deps: RefundDeps,
  refund: Refund,
  { charge, asked }: { charge: Charge; asked: Minor },
): Promise<RefundEnd | null> {
  const { database } = deps;
  const [wanted, left] = [wantedMinor(refund, charge), leftMinor(charge)];
  if (asked > 0 && asked <= left) return null;
  if (asked === 0 && refund.kind === 'unaccepted') {
    await confirmRefund(database, refund);
    return 'confirmed';
  }
  const unexplained = refundedThere(charge) - (await refundedOfCharge(database, charge.chargeId));
  const listed = unexplained > 0 ? await listRefundsOf(deps, refund, charge) : [];
  if (listed === null && wanted > 0 && wanted <= unexplained) return null;
  const made = listed?.find(isMadeBy(refund));
  if (made) {
    await confirmRefund(database, refund, made.refundId);
    return 'confirmed';
  }
  await reportUntold(deps, charge, listed ?? []);
  await leaveRefundToStaff(database, refund.refundId, left > 0 ? 'amount_too_large' : 'already_refunded');
  return 'needs_staff';
}

async function refundCharge(deps: RefundDeps, refundId: string): Promise<RefundEnd> {
  const { database, gateway } = deps;
  const refund = await findRefund(database, refundId);
  if (!refund) return 'unknown_refund';
  if (refund.status !== 'pending' || refund.chargeId === null)
    return refund.status === 'needs_staff' ? 'needs_staff' : 'confirmed';
  const charge = await gateway.readCharge(refund.chargeId);
  const isPaid = wasPaid(charge);
  if (isPaid) await recordAmount(database, refundId, charge);
  if (charge.status === 'refunded' && refund.kind === 'unaccepted') {
    await confirmRefund(database, refund);
    return 'confirmed';
  }
  if (!isPaid) return waitForMoney(deps, refund, charge.status);
  const wanted = { charge, asked: await askedMinor(deps, refund, charge) };
  return (await endWithoutAsking(deps, refund, wanted)) ?? ask(deps, refund, wanted);
}

/** Refunds, repeated until the gateway confirms or staff must decide. */
export function createRefundActivities(deps: RefundDeps) {
  return {
    refundCharge: ({ refundId }: { refundId: string }): Promise<RefundEnd> =>
      refundCharge(deps, refundId).catch((error: unknown) =>
        retryNoting(error, () => noteRefundUnanswered(deps.database, refundId)),
      ),
  };
}
