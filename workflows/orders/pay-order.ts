import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { type PaymentResult, type PaymentState, refused } from '../../domain/orders/payment.ts';
import { type OrderStatus, orderStatus, orderStatusName } from '../../domain/orders/states.ts';
import { endUpdate, lookSignal, type PayOrderInput, type PayOrderResult, payUpdate } from '../contracts/pay-order.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';
import { gateway, refundStarts, rows } from './activities.ts';

/** What handlers and steps share. */
interface Run {
  /** What a waiting pay is told; set once. */
  response?: PaymentResult;
  /** Set when the payment has ended, one way or the other. */
  end?: PaymentResult;
  /** Which attempt the rows are at; a run that was started late goes on with the order's own. */
  attempt: number;
  shown?: OrderStatus;
  /** The rows have changed since they were last looked at. */
  woken: boolean;
  /** Staff cancelled the workflow itself: the payment is cancelled in order, never dropped. */
  cancelled: boolean;
}

const isPending = (state: PaymentState) => state.orderStatus === orderStatus.PAYMENT_PENDING;

function show(run: Run, status: OrderStatus, details: string): void {
  if (run.shown !== status) upsertSearchAttributes([{ key: bizStatusAttribute, value: orderStatusName(status) }]);
  run.shown = status;
  setCurrentDetails(details);
}

function handle(run: Run): void {
  const validator = ({ attempt }: { attempt: number }) => {
    if (attempt !== run.attempt)
      throw ApplicationFailure.nonRetryable(`this run is attempt ${run.attempt}`, 'AttemptOver');
  };
  setHandler(
    payUpdate,
    async () => {
      await condition(() => run.response !== undefined);
      return run.response as PaymentResult;
    },
    { validator, description: 'Waits for what the payer is told: a payment link, completion or a refusal.' },
  );
  setHandler(
    endUpdate,
    async () => {
      run.woken = true;
      await condition(() => run.end !== undefined);
      return run.end as PaymentResult;
    },
    { validator, description: 'Waits for the end of the payment; a cancel or a decision is in the rows.' },
  );
  const wake = () => {
    run.woken = true;
  };
  setHandler(lookSignal, wake, { description: 'Looks at the rows: a callback, a cancel or a decision came.' });
}

/** Holds points, stock and coupons, or finds what an earlier run has held. */
async function reserve(run: Run, input: PayOrderInput): Promise<PaymentState> {
  const ref = { orderId: input.orderId, attempt: input.attempt };
  setCurrentDetails('Holding points, stock and coupons.');
  const opened = await rows.openPayment({
    ...ref,
    expiresAt: new Date(Date.now() + input.ttlMs).toISOString(),
    resultURL: input.resultURL,
    cancelURL: input.cancelURL,
  });
  if (opened.kind === 'opened' && opened.state.orderStatus !== orderStatus.POINTS_UNKNOWN) return opened.state;
  if (opened.kind === 'refused') {
    run.response = refused(opened.code, opened.state);
    return opened.state;
  }
  return resolveUnknown(run, ref);
}

/** The commit's outcome is unknown: the payer is told so, and the reservation is asked for until the answer is there. */
async function resolveUnknown(run: Run, ref: { orderId: string; attempt: number }): Promise<PaymentState> {
  show(run, orderStatus.POINTS_UNKNOWN, 'It is not known whether the reservation was written; asking.');
  await rows.markReservationUnknown(ref);
  const marked = await rows.readPayment(ref);
  if (marked.orderStatus === orderStatus.POINTS_UNKNOWN) run.response = refused(90301, marked);
  return rows.resolveReservation(ref);
}

/** Makes the charge, however long its outcome takes to become known. */
async function charge(run: Run, state: PaymentState): Promise<PaymentState> {
  show(run, state.orderStatus, 'Held. Waiting for the payment gateway to make the charge.');
  const made = await gateway.createCharge({ orderId: state.orderId, attempt: state.attempt });
  if (made.kind === 'refused') run.response ??= refused(90303, made.state);
  if (made.kind === 'not_reached') run.response ??= refused(90304, made.state);
  return made.state;
}

/** One look at a pending payment that something woke: staff's decision first, then callbacks. */
async function look(ref: { orderId: string; attempt: number }): Promise<PaymentState> {
  const state = await rows.readPayment(ref);
  if (!isPending(state)) return state;
  if (state.resolution !== null) return rows.resolvePayment({ ...ref, outcome: state.resolution });
  return state.paidEvent && !state.flagged ? gateway.settlePayment(ref) : state;
}

const untilExpiry = (state: PaymentState): number => Date.parse(state.expiresAt ?? '') - Date.now();

/** From the payment link to the end: a callback, a cancel, a decision of staff, or the expiry, whichever comes first. */
async function awaitEnd(run: Run, charged: PaymentState): Promise<PaymentState> {
  let state = charged;
  // A run that was started again has missed the signals that came before it.
  run.woken ||= state.paidEvent;
  const ref = { orderId: state.orderId, attempt: state.attempt };
  while (isPending(state)) {
    if (run.woken || state.resolution !== null) {
      run.woken = false;
      state = await look(ref);
    } else if (state.flagged) {
      show(run, state.orderStatus, 'Flagged: the gateway tells something else than agreed. Staff decide.');
      await condition(() => run.woken);
    } else if (state.cancelRequested || run.cancelled || untilExpiry(state) <= 0) {
      setCurrentDetails('Cancelling the charge, then releasing what is held.');
      const reason = state.cancelRequested || run.cancelled ? 'cancelled' : 'expired';
      state = await gateway.endPayment({ ...ref, reason });
    } else {
      show(run, state.orderStatus, `Waiting for the payer until ${state.expiresAt}.`);
      await condition(() => run.woken || run.cancelled, untilExpiry(state), { summary: 'until the payment expires' });
    }
  }
  return state;
}

function answerAtEnd(state: PaymentState): PaymentResult {
  if (state.orderStatus === orderStatus.DONE) return { code: 1000, state };
  // Another attempt than this run's: whoever asks looks at the rows again.
  return state.orderStatus === orderStatus.CREATED ? refused(90304, null) : refused(90202, state);
}

async function pay(run: Run, input: PayOrderInput): Promise<PaymentState> {
  let state = await reserve(run, input);
  if (isPending(state)) run.attempt = state.attempt;
  if (isPending(state) && state.chargeId === null) state = await charge(run, state);
  if (isPending(state)) {
    run.response ??= { code: 1000, state };
    state = await awaitEnd(run, state);
  }
  if (state.pendingRefunds.length > 0) {
    const { orderId, tenantId } = state;
    await refundStarts.startRefunds(state.pendingRefunds.map((chargeId) => ({ chargeId, orderId, tenantId })));
  }
  return state;
}

/**
 * Pays one attempt of an order: holds, charge, then the callback or the expiry; commits, or cancels the charge and then
 * releases. The rows are the truth: a run that finds the order further along goes on from there. A cancel of the workflow
 * reaches no activity: it is an orderly cancel of the payment.
 */
export async function payOrder(input: PayOrderInput): Promise<PayOrderResult> {
  const run: Run = { attempt: input.attempt, woken: false, cancelled: false };
  handle(run);
  CancellationScope.current().cancelRequested.catch(() => {
    run.cancelled = true;
  });
  return CancellationScope.nonCancellable(async () => {
    const state = await pay(run, input);
    show(run, state.orderStatus, `Ended: ${orderStatusName(state.orderStatus)}.`);
    run.response ??= answerAtEnd(state);
    run.end = answerAtEnd(state);
    await condition(allHandlersFinished);
    const { orderStatus: order, pointsStatus, paymentStatus } = state;
    return { orderStatus: order, pointsStatus, paymentStatus };
  });
}
