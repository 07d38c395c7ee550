import {
  ApplicationFailure,
  proxyActivities,
  proxyLocalActivities,
  sleep,
  TemporalFailure,
  TimeoutFailure,
} from '@temporalio/workflow';
import type { BegunPayment, ChargeResult } from '#activities/orders/charge-payment.ts';
import type { OrdersActivities } from '#activities/orders/index.ts';
import type { OpenPaymentInput } from '#activities/orders/reserve-payment.ts';
import type { PaymentEvaluation } from '#activities/orders/settle-payment.ts';
import type { PaymentRef, PaymentState } from '#domain/orders/payment.ts';
import { activityProfiles } from '#temporal.config.ts';

/** The order was lost in a restore: the run fails with this type. */
const nonRetryableErrorTypes = ['OrderGone'];

// The payer is waiting: a crashed worker's statement is retried soon, and recovery from an outage is noticed
// within two seconds.
export const rows = proxyActivities<
  Pick<OrdersActivities, 'openPayment' | 'markReservationUnknown' | 'resolveReservation' | 'readPayment'>
>({
  ...activityProfiles.database,
  startToCloseTimeout: '5 seconds',
  retry: { ...activityProfiles.database.retry, maximumInterval: '2 seconds', nonRetryableErrorTypes },
});

// The client times out after 5 s, so a crashed worker's call is retried soon after; its idempotency key makes
// that safe.
export const gateway = proxyActivities<
  Pick<OrdersActivities, 'createCharge' | 'lookAtPayment' | 'endPayment' | 'resolvePayment'>
>({
  ...activityProfiles.remote,
  startToCloseTimeout: '8 seconds',
  retry: { ...activityProfiles.remote.retry, maximumInterval: '10 seconds', nonRetryableErrorTypes },
});

// Within the workflow task: no round trips to the server. It is short, because it occupies one of the worker's few
// places for workflow tasks.
const local = proxyLocalActivities<Pick<OrdersActivities, 'beginPayment' | 'lookAtPayment'>>({
  startToCloseTimeout: '1 second',
  retry: { maximumAttempts: 1 },
});

const gatewayAsks = 'as long as the payment gateway asks for';

/** Tries within the workflow task first; what fails there, or takes longer, becomes an activity with retries. */
async function withinTaskFirst<Result>(
  attempt: () => Promise<Result>,
  retried: () => Promise<Result>,
): Promise<Result> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof TemporalFailure)) throw error;
    // What a local activity fails with is not wrapped in an ActivityFailure.
    const wait: unknown = error instanceof ApplicationFailure ? error.details?.[0] : undefined;
    if (typeof wait === 'number') await sleep(wait, { summary: gatewayAsks });
    return await retried();
  }
}

/** Opens the payment and sends its charge; what is left of it after that is `createCharge`. */
export const beginPayment = (input: OpenPaymentInput): Promise<BegunPayment> =>
  withinTaskFirst(
    () => local.beginPayment(input),
    async () => ({ opened: await rows.openPayment(input), charge: null, waitMs: null }),
  );

/** @param waitMs as the payment gateway requests. */
export async function createCharge(ref: PaymentRef, waitMs: number | null): Promise<ChargeResult> {
  if (waitMs !== null) await sleep(waitMs, { summary: gatewayAsks });
  return gateway.createCharge(ref);
}

export const lookAtPayment = (ref: PaymentRef): Promise<PaymentEvaluation> =>
  withinTaskFirst(
    () => local.lookAtPayment(ref),
    () => gateway.lookAtPayment(ref),
  );

type Reading = Pick<OrdersActivities, 'settlePayment'>;

// However many payments wait: a gateway that is slow for all of them must not keep those who pay from the worker's places.
const readLocally = proxyLocalActivities<Reading>({
  startToCloseTimeout: '300 milliseconds',
  retry: { maximumAttempts: 1 },
});

const readOnce = proxyActivities<Reading>({ startToCloseTimeout: '8 seconds', retry: { maximumAttempts: 1 } });

/** What is read, or null if it failed. */
async function unlessItFails(read: () => Promise<PaymentState>): Promise<PaymentState | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof TemporalFailure)) throw error;
    return null;
  }
}

/**
 * Reads the charge within the workflow task, or by an activity if the gateway takes its time. A read that fails is not
 * repeated: the next one is planned anyway, and meanwhile the payment must be able to end.
 * @returns null if it failed.
 */
export async function settlePayment(ref: PaymentRef): Promise<PaymentState | null> {
  try {
    return await readLocally.settlePayment(ref);
  } catch (error) {
    if (!(error instanceof TemporalFailure)) throw error;
    const late = error instanceof TimeoutFailure || error.cause instanceof TimeoutFailure;
    return late ? unlessItFails(() => readOnce.settlePayment(ref)) : null;
  }
}

export const refunds = proxyActivities<Pick<OrdersActivities, 'refundCharge' | 'bookReportedRefund'>>({
  ...activityProfiles.remote,
  startToCloseTimeout: '8 seconds',
});

export const refundStarts = proxyActivities<Pick<OrdersActivities, 'startRefunds'>>(activityProfiles.database);

// The next run comes, so one that cannot finish must not block it.
export const sweeping = proxyActivities<Pick<OrdersActivities, 'driveOrders'>>({
  ...activityProfiles.database,
  scheduleToCloseTimeout: '1 minute',
});
