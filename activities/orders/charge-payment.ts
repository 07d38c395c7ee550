import { ApplicationFailure } from '@temporalio/common';
import type { Database } from '../../db/database.ts';
import * as charges from '../../db/orders/charges/sends.ts';
import { closeEvent, storedEvents } from '../../db/orders/events/events.ts';
import { type Flag, raiseFlags } from '../../db/orders/events/flags.ts';
import { readPayment } from '../../db/orders/payments.ts';
import type { PaymentRef, PaymentState } from '../../domain/orders/payment.ts';
import { orderStatus } from '../../domain/orders/states.ts';
import { type Charge, GatewayUnclear, type PaymentGateway } from '../../clients/payment-gateway/client.ts';
import { type ChargedTerms, mismatches } from './compare-charge.ts';

export interface ChargeResult {
  kind: 'charged' | 'refused' | 'not_reached' | 'expired';
  state: PaymentState;
}

interface ChargeDeps {
  database: Database;
  gateway: PaymentGateway;
  callbackUrl: string;
}

/** An ambiguous response is retried by the activity's retry policy, no earlier than the gateway asks for. */
export function asRetry(error: unknown): never {
  if (!(error instanceof GatewayUnclear)) throw error;
  throw ApplicationFailure.create({
    message: error.message,
    type: 'GatewayUnclear',
    ...(error.retryAfterMs === null ? {} : { nextRetryDelay: error.retryAfterMs }),
    cause: error,
  });
}

/** The same key for every retry: the gateway creates one charge per attempt. */
const chargeKey = ({ orderId, attempt }: PaymentRef) => `charge:${orderId}:${attempt}`;

async function sendCharge({ gateway, callbackUrl }: ChargeDeps, ref: PaymentRef, terms: charges.ChargeTerms) {
  return gateway.createCharge(chargeKey(ref), {
    shopId: terms.shopId,
    orderNo: terms.orderNo,
    amount: terms.amount,
    currency: terms.currency,
    description: terms.description,
    ...(terms.resultUrl === null ? {} : { resultURL: terms.resultUrl }),
    ...(terms.cancelUrl === null ? {} : { cancelURL: terms.cancelUrl }),
    callbackURL: callbackUrl,
    expiresAt: terms.expiresAt.toISOString(),
  });
}

async function createCharge(deps: ChargeDeps, ref: PaymentRef): Promise<ChargeResult> {
  const terms = await charges.beginChargeSend(deps.database, ref);
  if (!terms) return { kind: 'charged', state: await readPayment(deps.database, ref.orderId) };
  const expired = terms.expiresAt.getTime() <= Date.now();
  // The hold was unnecessary: nothing was ever sent, so there is nothing to cancel.
  if (expired && terms.sends === 1) {
    return { kind: 'expired', state: await charges.endPayment(deps.database, ref, 'expired') };
  }
  const outcome = await sendCharge(deps, ref, terms);
  if (outcome.kind === 'created') {
    return { kind: 'charged', state: await charges.recordCharge(deps.database, ref, outcome) };
  }
  if (outcome.kind === 'rejected') {
    const state = await charges.endPayment(deps.database, ref, expired ? 'expired' : 'refused');
    return { kind: expired ? 'expired' : 'refused', state };
  }
  // An earlier send may have arrived: only the first one can be known not to have.
  if (terms.sends > 1) throw new GatewayUnclear(`the payment gateway cannot be reached: ${outcome.reason}`);
  return { kind: 'not_reached', state: await charges.undoPayment(deps.database, ref) };
}

async function termsOf(database: Database, ref: PaymentRef): Promise<ChargedTerms> {
  const terms = await charges.chargedTerms(database, ref);
  if (!terms) throw new Error(`order ${ref.orderId} has no charge at attempt ${ref.attempt}`);
  return terms;
}

/** Compares the gateway's own record of a charge with every callback about it. */
async function settle({ database, gateway }: ChargeDeps, ref: PaymentRef): Promise<PaymentState> {
  const terms = await termsOf(database, ref);
  const charge: Charge = await gateway.readCharge(terms.chargeId);
  const events = (await storedEvents(database, ref.orderId)).filter((event) => event.chargeId === terms.chargeId);
  const flags: Flag[] = [charge, ...events].flatMap((told) => mismatches(terms, told));
  const [first] = flags;
  if (first) {
    await raiseFlags(database, ref.orderId, flags);
    return readPayment(database, ref.orderId);
  }
  if (charge.status === 'paid') return charges.completePayment(database, ref, 'gateway');
  if (charge.status === 'refunded') for (const event of events) await closeEvent(database, event.eventId, 'settled');
  return readPayment(database, ref.orderId);
}

/** The charge of a payment: created once, read again before it counts, cancelled before anything is released. */
export function createChargeActivities(deps: ChargeDeps) {
  const { database, gateway } = deps;
  return {
    createCharge: (ref: PaymentRef): Promise<ChargeResult> => createCharge(deps, ref).catch(asRetry),

    settlePayment: (ref: PaymentRef): Promise<PaymentState> => settle(deps, ref).catch(asRetry),

    /**
     * Cancels the charge, then releases the holds; a charge that is already paid completes the order, or flags it.
     */
    async endPayment({ reason, ...ref }: PaymentRef & { reason: 'expired' | 'cancelled' }): Promise<PaymentState> {
      const { chargeId } = await termsOf(database, ref);
      const outcome = await gateway.cancelCharge(chargeId).catch(asRetry);
      if (outcome === 'paid') {
        const state = await settle(deps, ref).catch(asRetry);
        const open = state.orderStatus === orderStatus.PAYMENT_PENDING && !state.flagged;
        // The gateway's record lags behind its own response: retry.
        if (open)
          asRetry(new GatewayUnclear('a charge that could not be cancelled because it is paid does not read as paid'));
        return state;
      }
      return charges.endPayment(database, ref, reason);
    },

    /** Carries out the staff's decision about a flagged order. */
    resolvePayment({ outcome, ...ref }: PaymentRef & { outcome: 'complete' | 'refund' }): Promise<PaymentState> {
      return outcome === 'complete'
        ? charges.completePayment(database, ref, 'staff')
        : charges.endPayment(database, ref, 'refund');
    },
  };
}
