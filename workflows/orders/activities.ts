import { proxyActivities } from '@temporalio/workflow';
import type { OrdersActivities } from '../../activities/orders/index.ts';
import { activityProfiles } from '../../temporal.config.ts';

/** What a restore has lost: the run fails, and says so. */
const nonRetryableErrorTypes = ['OrderGone'];

// A payer waits: a crashed worker's statement runs again soon, and an outage that ends is noticed within two seconds.
export const rows = proxyActivities<
  Pick<
    OrdersActivities,
    'openPayment' | 'markReservationUnknown' | 'resolveReservation' | 'readPayment' | 'resolvePayment'
  >
>({
  ...activityProfiles.database,
  startToCloseTimeout: '5 seconds',
  retry: { ...activityProfiles.database.retry, maximumInterval: '2 seconds', nonRetryableErrorTypes },
});

// The client gives up after 5 s, so a crashed worker's call is repeated soon after; it may be, with its key.
export const gateway = proxyActivities<Pick<OrdersActivities, 'createCharge' | 'settlePayment' | 'endPayment'>>({
  ...activityProfiles.remote,
  startToCloseTimeout: '8 seconds',
  retry: { ...activityProfiles.remote.retry, maximumInterval: '10 seconds', nonRetryableErrorTypes },
});

export const refunds = proxyActivities<Pick<OrdersActivities, 'refundCharge'>>({
  ...activityProfiles.remote,
  startToCloseTimeout: '8 seconds',
});

export const refundStarts = proxyActivities<Pick<OrdersActivities, 'startRefunds'>>(activityProfiles.database);

// The next round comes soon; one that cannot finish must not stand in its way.
export const sweeping = proxyActivities<Pick<OrdersActivities, 'driveOrders'>>({
  ...activityProfiles.database,
  scheduleToCloseTimeout: '1 minute',
});
