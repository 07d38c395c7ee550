import { type Charge, GatewayLags, type PaymentGateway } from '../../clients/payment-gateway/client.ts';
import type { Database } from '../../db/database.ts';
import type { Refund } from '../../db/orders/models/refunds.ts';
import {
  confirmRefund,
  findRefund,
  leaveRefundToStaff,
  noteRefundUnanswered,
  noteUnpaid,
  recordAmount,
  rejectRefundKey,
} from '../../db/orders/refunds/refunds.ts';
import { wasPaid } from '../../domain/orders/charge-comparison.ts';
import { fromMinor } from '../../domain/orders/money.ts';
import { retryNoting } from './gateway-retry.ts';

interface RefundDeps {
  database: Database;
  gateway: PaymentGateway;
}

/** `needs_staff`: the gateway rejected it for good, or has not shown the money for a day. */
export type RefundEnd = 'confirmed' | 'needs_staff' | 'unknown_refund';

/** How long to poll for money that the gateway does not show as paid. */
const PATIENCE_MS = 24 * 60 * 60 * 1000;
const LONGEST_PAUSE_MS = 5 * 60 * 1000;

/** The first request has the plain key; a request after a rejection has one that the gateway has not seen. */
const keyOf = ({ refundId, keyNumber }: Refund): string =>
  keyNumber === 1 ? `refund:${refundId}` : `refund:${refundId}:${keyNumber}`;

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

async function ask(deps: RefundDeps, refund: Refund, charge: Charge): Promise<RefundEnd> {
  const { database, gateway } = deps;
  const amount = refund.amountMinor === null ? charge.amount : fromMinor(refund.amountMinor);
  const outcome = await gateway.refundCharge(keyOf(refund), charge.chargeId, amount);
  switch (outcome.kind) {
    case 'confirmed':
      await confirmRefund(database, refund);
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
  return isPaid ? ask(deps, refund, charge) : waitForMoney(deps, refund, charge.status);
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
