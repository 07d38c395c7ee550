import {
  type ChargeOutcome,
  GatewayLags,
  GatewayUnclear,
  type PaymentGateway,
} from '#clients/payment-gateway/client.ts';
import type { Database } from '#db/database.ts';
import { endPayment, undoPayment } from '#db/orders/charges/ends.ts';
import { beginChargeSend, type ChargeTerms, noteTraceOfSend, recordCharge } from '#db/orders/charges/sends.ts';
import type { HoldLimits } from '#db/orders/opening/open.ts';
import { noteUnanswered } from '#db/orders/charges/reads.ts';
import { readPayment } from '#db/orders/payments.ts';
import type { PaymentRef, PaymentState } from '#domain/orders/payment.ts';
import type { Traces } from '#domain/tracing.ts';
import { type OrderStatus, orderStatus } from '#domain/orders/states.ts';
import { retryNoting } from './gateway-retry.ts';
import { type OpenPaymentInput, type OpenPaymentResult, reserve } from './reserve-payment.ts';

export interface ChargeResult {
  /** `expired`: there is no charge, and the payment is over, be it by the time of its hold or by a cancel. */
  kind: 'charged' | 'refused' | 'not_reached' | 'expired';
  state: PaymentState;
}

interface ChargeDeps {
  database: Database;
  gateway: PaymentGateway;
  callbackUrl: string;
  /** Null unless they are switched on. */
  traces: Traces | null;
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
  if (open && state.chargeId === null) throw new GatewayLags('another send of the charge has overtaken this one');
  return state;
}

const kinds: Partial<Record<OrderStatus, ChargeResult['kind']>> = {
  [orderStatus.CREATED]: 'not_reached',
  [orderStatus.FAILED]: 'refused',
  [orderStatus.TIMEOUT]: 'expired',
  [orderStatus.CANCELLED]: 'expired',
};

/** What a send without a charge has come to: payer or staff may have decided meanwhile, and another send may have made one. */
const withoutCharge = (ref: PaymentRef, state: PaymentState): ChargeResult => ({
  kind: kinds[notOvertaken(ref, state).orderStatus] ?? 'charged',
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
    case 'invalid':
    case 'rejected':
      // An earlier send may have made a charge, which can be paid until it expires.
      if (outcome.kind === 'invalid' && sends > 1 && !expired)
        throw new GatewayUnclear(`repeating a charge got ${outcome.code}`);
      return withoutCharge(ref, await endPayment(database, ref, expired ? 'expired' : 'refused', { sends }));
    case 'not_reached':
      // An earlier send may have arrived: only the first one can be known not to have.
      if (sends > 1) throw new GatewayUnclear(`the payment gateway cannot be reached: ${outcome.reason}`);
      return withoutCharge(ref, await undoPayment(database, ref, { sends }));
  }
}

/** @param counted what is sent if this send has been counted when the payment was opened. */
async function createCharge(deps: ChargeDeps, ref: PaymentRef, counted: ChargeTerms | null): Promise<ChargeResult> {
  const terms = counted ?? (await beginChargeSend(deps.database, ref));
  if (!terms) return { kind: 'charged', state: await readPayment(deps.database, ref.orderId) };
  const { sends } = terms;
  const expired = terms.expiresAt.getTime() <= Date.now();
  // The hold was unnecessary: nothing was ever sent, so there is nothing to cancel.
  if (expired && sends === 1) {
    return withoutCharge(ref, await endPayment(deps.database, ref, 'expired', { sends }));
  }
  const traceParent = deps.traces?.current();
  if (traceParent) await noteTraceOfSend(deps.database, ref, traceParent);
  return recordOutcome(deps, ref, { sends, expired, outcome: await sendCharge(deps, ref, terms) });
}

/** An opened payment with the outcome of its charge: null if none is due or it is not known yet. */
export interface BegunPayment {
  opened: OpenPaymentResult;
  charge: ChargeResult | null;
  /** How long the gateway asks to wait before the next attempt, in milliseconds. */
  waitMs: number | null;
}

const awaitsCharge = (opened: OpenPaymentResult): opened is Extract<OpenPaymentResult, { kind: 'opened' }> =>
  opened.kind === 'opened' &&
  opened.state.orderStatus === orderStatus.PAYMENT_PENDING &&
  opened.state.chargeId === null;

/** Opening a payment and creating its charge, once. */
export function createChargeActivities(deps: ChargeDeps & HoldLimits) {
  const underWay = new Map<string, Promise<ChargeResult>>();

  /** A call that has outlasted its workflow task is waited for, not sent again. */
  function createOnce(ref: PaymentRef, counted: ChargeTerms | null): Promise<ChargeResult> {
    const key = chargeKey(ref);
    const found = underWay.get(key);
    if (found) return found;
    const creating = createCharge(deps, ref, counted).finally(() => underWay.delete(key));
    underWay.set(key, creating);
    return creating;
  }

  return {
    createCharge: (ref: PaymentRef): Promise<ChargeResult> =>
      createOnce(ref, null).catch((error: unknown) => retryNoting(error, () => noteUnanswered(deps.database, ref))),

    /**
     * Both in one, without a commit of its own for the count of sends: whoever opens the payment knows that nothing was
     * sent before. A repetition finds it open, and counts its send like any other.
     */
    async beginPayment(input: OpenPaymentInput): Promise<BegunPayment> {
      const { opened, terms } = await reserve(deps, input, 1);
      if (!awaitsCharge(opened)) return { opened, charge: null, waitMs: null };
      const { orderId, attempt } = opened.state;
      try {
        return { opened, charge: await createOnce({ orderId, attempt }, terms), waitMs: null };
      } catch (error) {
        if (!(error instanceof GatewayUnclear)) throw error;
        return { opened, charge: null, waitMs: error.retryAfterMs };
      }
    },
  };
}
