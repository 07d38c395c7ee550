import { proxyActivities } from '@temporalio/workflow';
import type { OrdersActivities } from '../../activities/orders/index.ts';
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
  Pick<OrdersActivities, 'createCharge' | 'settlePayment' | 'endPayment' | 'resolvePayment'>
>({
  ...activityProfiles.remote,
  startToCloseTimeout: '8 seconds',
  retry: { ...activityProfiles.remote.retry, maximumInterval: '10 seconds', nonRetryableErrorTypes },
});

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

// The next round comes soon, so a round that cannot finish must not block it.
export const sweeping = proxyActivities<Pick<OrdersActivities, 'driveOrders'>>({
  ...activityProfiles.database,
  scheduleToCloseTimeout: '1 minute',
});
