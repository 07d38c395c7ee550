import { type Charge, GatewayLags, type PaymentGateway } from '#clients/payment-gateway/client.ts';
import type { Database } from '#db/database.ts';
import { completePayment, endPayment, endReturned, giveUpCharge } from '#db/orders/charges/ends.ts';
import { noteUnanswered, recordRead } from '#db/orders/charges/reads.ts';
import { type ChargedTerms, chargedTerms } from '#db/orders/charges/sends.ts';
import { storedEvents } from '#db/orders/events/events.ts';
import { raiseFlags, withdrawDecision } from '#db/orders/events/flags.ts';
import { readPayment } from '#db/orders/payments.ts';
import type { PaymentRef, PaymentState } from '#domain/orders/payment.ts';
import { type Traces, within } from '#domain/tracing.ts';
import { orderStatus } from '#domain/orders/states.ts';
import { mismatches } from './compare-charge.ts';
import { retryNoting } from './gateway-retry.ts';

interface SettleDeps {
  database: Database;
  gateway: PaymentGateway;
  /** Null unless they are switched on. */
  traces: Traces | null;
}

/** A staff decision carried out, or (90206) not, because the gateway does not show the money. */
export interface Resolved {
  code: 1000 | 90206;
  state: PaymentState;
}

/** What a look at the rows found, and whether the gateway was asked because of it. */
export interface PaymentEvaluation {
  state: PaymentState;
  settled: boolean;
}

async function termsOf(database: Database, ref: PaymentRef): Promise<ChargedTerms> {
  const terms = await chargedTerms(database, ref);
  if (!terms) throw new Error(`order ${ref.orderId} has no charge at attempt ${ref.attempt}`);
  return terms;
}

async function readCharge({ database, gateway }: SettleDeps, ref: PaymentRef, chargeId: string): Promise<Charge> {
  const charge = await gateway.readCharge(chargeId);
  await recordRead(database, ref, charge);
  return charge;
}

/** Compares the gateway's own record of a charge with what was agreed and with every callback about it. */
async function settle(deps: SettleDeps, ref: PaymentRef): Promise<PaymentState> {
  const { database } = deps;
  const terms = await termsOf(database, ref);
  const charge = await readCharge(deps, ref, terms.chargeId);
  const events = (await storedEvents(database, ref.orderId)).filter((event) => event.chargeId === terms.chargeId);
  const flags = [charge, ...events].flatMap((report) => mismatches(terms, report));
  if (flags.length > 0) {
    await raiseFlags(database, ref.orderId, flags);
    return readPayment(database, ref.orderId);
  }
  if (charge.status === 'paid')
    return within(deps.traces, 'commit payment', [], () => completePayment(database, ref, 'gateway'));
  // A callback that reports money for it contradicts the cancellation: the money is waited for, and given back later.
  if (charge.status === 'cancelled' && events.length === 0) return giveUpCharge(database, ref, new Date());
  if (charge.status === 'refunded') return endReturned(database, ref, { ...charge, gatewayRefundId: null });
  return readPayment(database, ref.orderId);
}

/** Reads the rows, and settles a payment for which a callback is recorded; a staff decision takes precedence. */
async function look(deps: SettleDeps, ref: PaymentRef): Promise<PaymentEvaluation> {
  const state = await readPayment(deps.database, ref.orderId);
  const isPending = state.orderStatus === orderStatus.PAYMENT_PENDING;
  const settled = isPending && state.resolution === null && state.paidEvent && !state.flagged;
  return { state: settled ? await settle(deps, ref) : state, settled };
}

/** The gateway's records lag behind its own response: retry. */
function lagging(): never {
  throw new GatewayLags('a charge that could not be cancelled because it is paid does not read as paid');
}

/** Cancels the charge, then releases the holds; a charge that is already paid completes the order, or flags it. */
async function end(deps: SettleDeps, ref: PaymentRef, reason: 'expired' | 'cancelled'): Promise<PaymentState> {
  const { chargeId } = await termsOf(deps.database, ref);
  if ((await deps.gateway.cancelCharge(chargeId)) === 'cancelled') return endPayment(deps.database, ref, reason);
  const state = await settle(deps, ref);
  const isOpen = state.orderStatus === orderStatus.PAYMENT_PENDING && !state.flagged;
  return isOpen ? lagging() : state;
}

/** Completes a flagged order with what came for it, if anything did. */
async function completeByStaff(deps: SettleDeps, ref: PaymentRef): Promise<Resolved> {
  const { chargeId } = await termsOf(deps.database, ref);
  const { status } = await readCharge(deps, ref, chargeId);
  if (status === 'paid') return { code: 1000, state: await completePayment(deps.database, ref, 'staff') };
  await withdrawDecision(deps.database, ref.orderId);
  return { code: 90206, state: await readPayment(deps.database, ref.orderId) };
}

/** Ends a flagged order: received money is refunded; otherwise it can no longer be paid. */
async function refundByStaff(deps: SettleDeps, ref: PaymentRef): Promise<Resolved> {
  const { chargeId } = await termsOf(deps.database, ref);
  const paid = (await deps.gateway.cancelCharge(chargeId)) === 'paid';
  if (paid && (await readCharge(deps, ref, chargeId)).status === 'pending') lagging();
  return { code: 1000, state: await endPayment(deps.database, ref, paid ? 'refund' : 'unpaid') };
}

/** The charge of a payment: read before it counts, cancelled before anything is released. */
export function createSettlementActivities(deps: SettleDeps) {
  const noted = <Result>(ref: PaymentRef, work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => retryNoting(error, () => noteUnanswered(deps.database, ref)));
  return {
    settlePayment: (ref: PaymentRef): Promise<PaymentState> => noted(ref, settle(deps, ref)),

    lookAtPayment: (ref: PaymentRef): Promise<PaymentEvaluation> => noted(ref, look(deps, ref)),

    endPayment: ({ reason, ...ref }: PaymentRef & { reason: 'expired' | 'cancelled' }): Promise<PaymentState> =>
      noted(ref, end(deps, ref, reason)),

    /** Carries out the staff's decision about a flagged order. */
    resolvePayment: ({ outcome, ...ref }: PaymentRef & { outcome: 'complete' | 'refund' }): Promise<Resolved> =>
      noted(ref, outcome === 'complete' ? completeByStaff(deps, ref) : refundByStaff(deps, ref)),
  };
}
