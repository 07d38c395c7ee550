import {
  ApplicationFailure,
  proxyActivities,
  proxyLocalActivities,
  sleep,
  TemporalFailure,
} from '@temporalio/workflow';
import type { ChargeResult } from '../../activities/orders/charge-payment.ts';
import type { OrdersActivities } from '../../activities/orders/index.ts';
import type { OpenPaymentInput, OpenPaymentResult } from '../../activities/orders/reserve-payment.ts';
import type { PaymentLook } from '../../activities/orders/settle-payment.ts';
import type { PaymentRef } from '../../domain/orders/payment.ts';
import { activityProfiles } from '../../temporal.config.ts';

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
const local = proxyLocalActivities<Pick<OrdersActivities, 'openPayment' | 'createCharge' | 'lookAtPayment'>>({
  startToCloseTimeout: '1 second',
  retry: { maximumAttempts: 1 },
});

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
    if (typeof wait === 'number') await sleep(wait, { summary: 'as long as the payment gateway asks for' });
    return await retried();
  }
}

export const openPayment = (input: OpenPaymentInput): Promise<OpenPaymentResult> =>
  withinTaskFirst(
    () => local.openPayment(input),
    () => rows.openPayment(input),
  );

export const createCharge = (ref: PaymentRef): Promise<ChargeResult> =>
  withinTaskFirst(
    () => local.createCharge(ref),
    () => gateway.createCharge(ref),
  );

export const lookAtPayment = (ref: PaymentRef): Promise<PaymentLook> =>
  withinTaskFirst(
    () => local.lookAtPayment(ref),
    () => gateway.lookAtPayment(ref),
  );

// A read that fails is not repeated: the next one is planned anyway, and meanwhile the payment must be able to end.
export const gatewayOnce = proxyActivities<Pick<OrdersActivities, 'settlePayment'>>({
  startToCloseTimeout: '8 seconds',
  retry: { maximumAttempts: 1 },
});

export const refunds = proxyActivities<Pick<OrdersActivities, 'refundCharge'>>({
  ...activityProfiles.remote,
  startToCloseTimeout: '8 seconds',
});

export const refundStarts = proxyActivities<Pick<OrdersActivities, 'startRefunds'>>(activityProfiles.database);

// The next run comes, so one that cannot finish must not block it.
export const sweeping = proxyActivities<Pick<OrdersActivities, 'driveOrders'>>({
  ...activityProfiles.database,
  scheduleToCloseTimeout: '1 minute',
});
