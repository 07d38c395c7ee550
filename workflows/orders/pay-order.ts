import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { BegunPayment } from '#activities/orders/charge-payment.ts';
import { type PaymentResult, type PaymentState, rejected } from '#domain/orders/payment.ts';
import { nextReadAfterMs } from '#domain/orders/charge-reads.ts';
import { type OrderStatus, orderStatus, orderStatusName } from '#domain/orders/states.ts';
import {
  endUpdate,
  lookSignal,
  type PayOrderInput,
  type PayOrderResult,
  payUpdate,
  readUpdate,
  resolveUpdate,
} from '../contracts/orders/pay-order.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';
import { beginPayment, createCharge, gateway, lookAtPayment, refundStarts, rows, settlePayment } from './activities.ts';

/** State shared by the handlers and the steps. */
interface Run {
  /** The response to a waiting pay update; set once. */
  response?: PaymentResult;
  /** Set when the payment has ended, whatever the outcome. */
  end?: PaymentResult;
  /** Outcome of the latest staff decision. */
  decided?: PaymentResult;
  /** The attempt the rows are at; a run that was started late adopts the order's. */
  attempt: number;
  /** Search attributes of the run, set at its start to the expected values. */
  shown: string | undefined;
  /** The rows have changed since they were last read. */
  woken: boolean;
  /** Staff cancelled the workflow itself: the payment is cancelled in an orderly way, never abandoned. */
  cancelled: boolean;
  /** A caller wants the charge to be read now. */
  readWanted: boolean;
  /** How often the charge was read, successfully or not. */
  reads: number;
  /** How many reads there were since the last sign of money, which decides on the time of the next one. */
  quietReads: number;
  /** When the charge is read next, in milliseconds since the epoch. */
  nextReadAt: number;
}

const isPending = (state: PaymentState) => state.orderStatus === orderStatus.PAYMENT_PENDING;

function show(run: Run, status: OrderStatus, details: string): void {
  const name = orderStatusName(status);
  if (run.shown !== name) upsertSearchAttributes([{ key: bizStatusAttribute, value: name }]);
  run.shown = name;
  setCurrentDetails(details);
}

function handle(run: Run): void {
  const validator = ({ attempt }: { attempt: number }) => {
    if (attempt !== run.attempt)
      throw ApplicationFailure.nonRetryable(`this run is for attempt ${run.attempt}`, 'AttemptOver');
  };
  setHandler(
    payUpdate,
    async () => {
      await condition(() => run.response !== undefined);
      return run.response as PaymentResult;
    },
    { validator, description: 'Waits for the outcome to give the payer: a payment link, completion or a rejection.' },
  );
  setHandler(
    endUpdate,
    async () => {
      run.woken = true;
      await condition(() => run.end !== undefined);
      return run.end as PaymentResult;
    },
    { validator, description: 'Waits for the payment to end; a cancel is in the rows.' },
  );
  setHandler(
    resolveUpdate,
    async () => {
      delete run.decided;
      run.woken = true;
      await condition(() => run.decided !== undefined || run.end !== undefined);
      return (run.decided ?? run.end) as PaymentResult;
    },
    { validator, description: 'Carries out the staff decision that is in the rows.' },
  );
  setHandler(
    readUpdate,
    async () => {
      const { reads } = run;
      run.readWanted = true;
      await condition(() => run.reads > reads || run.end !== undefined);
      const unchanged: PaymentResult = { code: 1000, state: null };
      return run.end ?? unchanged;
    },
    { validator, description: 'Reads the charge from the payment gateway now.' },
  );
  const wake = () => {
    run.woken = true;
  };
  setHandler(lookSignal, wake, { description: 'Reads the rows: there was a callback, a cancel or a decision.' });
}

/** What a run has to begin with: `charge` and `waitMs` as in BegunPayment. */
interface Begun extends Pick<BegunPayment, 'charge' | 'waitMs'> {
  state: PaymentState;
}

/** Holds points, stock and coupons and sends the charge, or finds what an earlier run did. */
async function begin(run: Run, input: PayOrderInput): Promise<Begun> {
  const ref = { orderId: input.orderId, attempt: input.attempt };
  setCurrentDetails('Holding points, stock and coupons, and creating the charge.');
  const { opened, ...sent } = await beginPayment({
    ...ref,
    expiresAt: new Date(Date.now() + input.ttlMs).toISOString(),
    resultURL: input.resultURL,
    cancelURL: input.cancelURL,
  });
  if (opened.kind === 'opened' && opened.state.orderStatus !== orderStatus.POINTS_UNKNOWN)
    return { state: opened.state, ...sent };
  if (opened.kind === 'refused') {
    run.response = rejected(opened.code, opened.state, opened.reason);
    return { state: opened.state, ...sent };
  }
  return { state: await resolveUnknown(run, ref), ...sent };
}

/** The outcome of the commit is unknown: tell the payer so, and look the reservation up until it is known. */
async function resolveUnknown(run: Run, ref: { orderId: string; attempt: number }): Promise<PaymentState> {
  show(run, orderStatus.POINTS_UNKNOWN, 'Unknown whether the reservation was written; looking it up.');
  await rows.markReservationUnknown(ref);
  const marked = await rows.readPayment(ref);
  if (marked.orderStatus === orderStatus.POINTS_UNKNOWN) run.response = rejected(90301, marked);
  return rows.resolveReservation(ref);
}

async function startRefunds({ orderId, tenantId, pendingRefunds }: PaymentState): Promise<void> {
  if (pendingRefunds.length === 0) return;
  await refundStarts.startRefunds(pendingRefunds.map((refundId) => ({ refundId, orderId, tenantId })));
}

/** Creates the charge, however long it takes to learn the outcome. */
async function charge(run: Run, { state, charge: sent, waitMs }: Begun): Promise<PaymentState> {
  show(run, state.orderStatus, 'Held. Waiting for the payment gateway to create the charge.');
  const made = sent ?? (await createCharge({ orderId: state.orderId, attempt: state.attempt }, waitMs));
  if (made.kind === 'refused') run.response ??= rejected(90303, made.state);
  if (made.kind === 'not_reached') run.response ??= rejected(90304, made.state);
  // Money that came for another charge of the order.
  if (isPending(made.state)) await startRefunds(made.state);
  planRead(run, 0);
  return made.state;
}

function planRead(run: Run, quietReads: number): void {
  run.quietReads = quietReads;
  run.nextReadAt = Date.now() + nextReadAfterMs(quietReads);
}

/** Reads a pending payment after a wake-up: a staff decision takes precedence over callbacks. */
async function look(run: Run, ref: { orderId: string; attempt: number }): Promise<PaymentState> {
  const { state, settled } = await lookAtPayment(ref);
  // The gateway may report money that its record does not show yet.
  if (settled) planRead(run, 0);
  if (isPending(state) && state.resolution !== null) {
    const resolved = await gateway.resolvePayment({ ...ref, outcome: state.resolution });
    run.decided = resolved;
    return resolved.state;
  }
  return state;
}

/** Reads the charge itself, for a callback that was lost. */
async function read(run: Run, state: PaymentState): Promise<PaymentState> {
  run.readWanted = false;
  const found = await settlePayment({ orderId: state.orderId, attempt: state.attempt });
  run.reads += 1;
  planRead(run, run.quietReads + 1);
  return found ?? state;
}

const expiresAt = (state: PaymentState): number => Date.parse(state.expiresAt ?? '');

/** Waits for the payer until something happens, at most until the next read or the expiry. */
async function waitForPayer(run: Run, state: PaymentState): Promise<void> {
  show(run, state.orderStatus, `Waiting for the payer until ${state.expiresAt}.`);
  const readFirst = run.nextReadAt < expiresAt(state);
  await condition(
    () => run.woken || run.cancelled || run.readWanted,
    Math.max(1, Math.min(run.nextReadAt, expiresAt(state)) - Date.now()),
    { summary: readFirst ? 'until the charge is read again' : 'until the payment expires' },
  );
}

async function waitForStaff(run: Run, state: PaymentState): Promise<void> {
  show(run, state.orderStatus, 'Flagged: the gateway reports something other than what was agreed. Staff must decide.');
  await condition(() => run.woken || run.readWanted);
}

/** From payment link to end: a callback, a read, a cancel, a staff decision or the expiry, whichever comes first. */
async function awaitEnd(run: Run, charged: PaymentState, input: PayOrderInput): Promise<PaymentState> {
  let state = charged;
  // A restarted run has missed the signals sent before it.
  run.woken ||= state.paidEvent;
  const ref = { orderId: state.orderId, attempt: state.attempt };
  while (isPending(state)) {
    if (workflowInfo().continueAsNewSuggested && allHandlersFinished()) await continueAsNew(input);
    if (run.woken || state.resolution !== null) {
      run.woken = false;
      state = await look(run, ref);
    } else if (run.readWanted) {
      state = await read(run, state);
    } else if (state.flagged) {
      await waitForStaff(run, state);
    } else if (state.cancelRequested || run.cancelled || expiresAt(state) <= Date.now()) {
      setCurrentDetails('Cancelling the charge, then releasing the hold.');
      const reason = state.cancelRequested || run.cancelled ? 'cancelled' : 'expired';
      state = await gateway.endPayment({ ...ref, reason });
    } else if (run.nextReadAt <= Date.now()) {
      state = await read(run, state);
    } else {
      await waitForPayer(run, state);
    }
  }
  return state;
}

function resultAtEnd(state: PaymentState): PaymentResult {
  if (state.orderStatus === orderStatus.DONE) return { code: 1000, state };
  // A different attempt from this run's: the caller reads the rows again.
  return state.orderStatus === orderStatus.CREATED ? rejected(90304, null) : rejected(90202, state);
}

async function pay(run: Run, input: PayOrderInput): Promise<PaymentState> {
  const begun = await begin(run, input);
  let { state } = begun;
  if (isPending(state)) run.attempt = state.attempt;
  if (isPending(state) && state.chargeId === null) state = await charge(run, begun);
  if (isPending(state)) {
    run.response ??= { code: 1000, state };
    state = await awaitEnd(run, state, input);
  }
  await startRefunds(state);
  return state;
}

/**
 * Pays one attempt of an order: hold, charge, then the callback or the expiry; then commits, or cancels the
 * charge and releases the hold. The rows are the source of truth: if the order is already further along, the run
 * continues from there. Cancelling the workflow does not cancel its activities; it starts an orderly cancellation
 * of the payment.
 */
export async function payOrder(input: PayOrderInput): Promise<PayOrderResult> {
  // A run that finds a charge made by an earlier one reads it at once.
  const reading = { readWanted: false, reads: 0, quietReads: 0, nextReadAt: 0 };
  const shown = workflowInfo().typedSearchAttributes.get(bizStatusAttribute);
  const run: Run = { attempt: input.attempt, shown, woken: false, cancelled: false, ...reading };
  handle(run);
  CancellationScope.current().cancelRequested.catch(() => {
    run.cancelled = true;
  });
  return CancellationScope.nonCancellable(async () => {
    const state = await pay(run, input);
    show(run, state.orderStatus, `Ended: ${orderStatusName(state.orderStatus)}.`);
    run.response ??= resultAtEnd(state);
    run.end = resultAtEnd(state);
    await condition(allHandlersFinished);
    const { orderStatus: order, pointsStatus, paymentStatus } = state;
    return { orderStatus: order, pointsStatus, paymentStatus };
  });
}
