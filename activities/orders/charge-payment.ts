import { type ChargeOutcome, GatewayUnclear, type PaymentGateway } from '../../clients/payment-gateway/client.ts';
import type { Database } from '../../db/database.ts';
import { endPayment, undoPayment } from '../../db/orders/charges/ends.ts';
import { beginChargeSend, type ChargeTerms, recordCharge } from '../../db/orders/charges/sends.ts';
import { readPayment } from '../../db/orders/payments.ts';
import type { PaymentRef, PaymentState } from '../../domain/orders/payment.ts';
import { orderStatus } from '../../domain/orders/states.ts';
import { asRetry } from './gateway-retry.ts';

export interface ChargeResult {
  kind: 'charged' | 'refused' | 'not_reached' | 'expired';
  state: PaymentState;
}

interface ChargeDeps {
  database: Database;
  gateway: PaymentGateway;
  callbackUrl: string;
}

/** The same key for every retry: the gateway creates one charge per attempt. */
const chargeKey = ({ orderId, attempt }: PaymentRef) => `charge:${orderId}:${attempt}`;

async function sendCharge({ gateway, callbackUrl }: ChargeDeps, ref: PaymentRef, terms: ChargeTerms) {
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

/**
 * The payment was left as it is because something was sent after this call, which nobody waits for: its outcome may be
 * a charge, or lost. Sending again with the same key finds out; a payment without a charge could never end.
 */
function notOvertaken({ attempt }: PaymentRef, state: PaymentState): PaymentState {
  const open = state.orderStatus === orderStatus.PAYMENT_PENDING && state.attempt === attempt;
  if (open && state.chargeId === null) throw new GatewayUnclear('another send of the charge has overtaken this one');
  return state;
}

/** The order is as before the pay, unless staff gave it up meanwhile. */
const notReached = (state: PaymentState): ChargeResult => ({
  kind: state.orderStatus === orderStatus.FAILED ? 'refused' : 'not_reached',
  state,
});

/**
 * Stores the outcome of one send. An outcome without a charge changes the payment only if nothing was sent after it:
 * this call may have timed out long ago, while the next one made the charge.
 */
async function recordOutcome(
  { database }: ChargeDeps,
  ref: PaymentRef,
  { sends, expired, outcome }: { sends: number; expired: boolean; outcome: ChargeOutcome },
): Promise<ChargeResult> {
  switch (outcome.kind) {
    case 'created':
      return { kind: 'charged', state: await recordCharge(database, ref, outcome) };
    case 'rejected': {
      const end = expired ? 'expired' : 'refused';
      return { kind: end, state: notOvertaken(ref, await endPayment(database, ref, end, { sends })) };
    }
    case 'not_reached':
      // An earlier send may have arrived: only the first one can be known not to have.
      if (sends > 1) throw new GatewayUnclear(`the payment gateway cannot be reached: ${outcome.reason}`);
      return notReached(notOvertaken(ref, await undoPayment(database, ref, { sends })));
  }
}

async function createCharge(deps: ChargeDeps, ref: PaymentRef): Promise<ChargeResult> {
  const terms = await beginChargeSend(deps.database, ref);
  if (!terms) return { kind: 'charged', state: await readPayment(deps.database, ref.orderId) };
  const { sends } = terms;
  const expired = terms.expiresAt.getTime() <= Date.now();
  // The hold was unnecessary: nothing was ever sent, so there is nothing to cancel.
  if (expired && sends === 1) {
    return { kind: 'expired', state: await endPayment(deps.database, ref, 'expired', { sends }) };
  }
  return recordOutcome(deps, ref, { sends, expired, outcome: await sendCharge(deps, ref, terms) });
}

/** Creating the charge of a payment, once. */
export function createChargeActivities(deps: ChargeDeps) {
  const underWay = new Map<string, Promise<ChargeResult>>();
  return {
    /** A call that has outlasted its workflow task is waited for, not sent again. */
    createCharge(ref: PaymentRef): Promise<ChargeResult> {
      const key = chargeKey(ref);
      const found = underWay.get(key);
      if (found) return found;
      const creating = createCharge(deps, ref)
        .catch(asRetry)
        .finally(() => underWay.delete(key));
      underWay.set(key, creating);
      return creating;
    },
  };
}
