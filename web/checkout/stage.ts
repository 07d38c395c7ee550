import type { OrderData } from '#domain/orders/responses.ts';
import { orderStatus, paymentStatus, pointsStatus } from '#domain/orders/states.ts';
import type { StatusStyle } from '../components/status/status.ts';

/** The stage of an order, as its payer sees it. */
export type Stage =
  | 'payable'
  | 'pointsUnknown'
  | 'preparing'
  | 'waiting'
  | 'checking'
  | 'closing'
  | 'paid'
  | 'completed'
  | 'refused'
  | 'timedOut'
  | 'cancelled'
  | 'refunding'
  | 'refunded'
  | 'returning'
  | 'returned'
  | 'partlyReturned'
  | 'pointsReturned';

type Standing = Pick<
  OrderData,
  'orderStatus' | 'pointsStatus' | 'paymentStatus' | 'paymentUrl' | 'expiresAt' | 'underReview'
>;

function pendingStage({ paymentUrl, expiresAt, underReview }: Standing, now: number): Stage {
  if (underReview) return 'checking';
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return 'closing';
  return paymentUrl === null ? 'preparing' : 'waiting';
}

/** A completed order, of which the shop may have given something back since. */
function doneStage({ pointsStatus: points, paymentStatus: payment }: Standing): Stage {
  switch (payment) {
    case paymentStatus.REFUND_PENDING:
      return 'returning';
    case paymentStatus.REFUNDED:
      return 'returned';
    case paymentStatus.PARTIALLY_REFUNDED:
      return 'partlyReturned';
    case paymentStatus.PAID:
      return 'paid';
    default:
      return points === pointsStatus.RETURNED ? 'pointsReturned' : 'completed';
  }
}

/** @param now the service's clock, in milliseconds since the epoch */
export function stageOf(order: Standing, now: number): Stage {
  if (order.orderStatus === orderStatus.DONE) return doneStage(order);
  if (order.paymentStatus === paymentStatus.REFUND_PENDING) return 'refunding';
  if (order.paymentStatus === paymentStatus.REFUNDED) return 'refunded';
  switch (order.orderStatus) {
    case orderStatus.CREATED:
      return 'payable';
    case orderStatus.POINTS_UNKNOWN:
      return 'pointsUnknown';
    case orderStatus.PAYMENT_PENDING:
      return pendingStage(order, now);
    case orderStatus.TIMEOUT:
      return 'timedOut';
    case orderStatus.CANCELLED:
      return 'cancelled';
    default:
      return 'refused';
  }
}

export const stageStyle: Record<Stage, StatusStyle> = {
  payable: { color: 'info', icon: 'i-lucide-shopping-bag' },
  pointsUnknown: { color: 'warning', icon: 'i-lucide-circle-question-mark' },
  preparing: { color: 'info', icon: 'i-lucide-hourglass' },
  waiting: { color: 'info', icon: 'i-lucide-hourglass' },
  checking: { color: 'warning', icon: 'i-lucide-search-check' },
  closing: { color: 'warning', icon: 'i-lucide-timer-off' },
  paid: { color: 'success', icon: 'i-lucide-circle-check' },
  completed: { color: 'success', icon: 'i-lucide-circle-check' },
  refused: { color: 'error', icon: 'i-lucide-circle-x' },
  timedOut: { color: 'neutral', icon: 'i-lucide-timer-off' },
  cancelled: { color: 'neutral', icon: 'i-lucide-ban' },
  refunding: { color: 'warning', icon: 'i-lucide-undo-2' },
  refunded: { color: 'neutral', icon: 'i-lucide-undo-2' },
  returning: { color: 'info', icon: 'i-lucide-undo-2' },
  returned: { color: 'neutral', icon: 'i-lucide-undo-2' },
  partlyReturned: { color: 'success', icon: 'i-lucide-undo-dot' },
  pointsReturned: { color: 'neutral', icon: 'i-lucide-undo-2' },
};

export const payableStages: readonly Stage[] = ['payable', 'preparing', 'waiting'];
/** Where the holds are the payer's and run out. */
export const holdingStages: readonly Stage[] = ['preparing', 'waiting'];
/** It is over, and nothing came of it: the payer may want to order again. */
export const endedStages: readonly Stage[] = ['refused', 'timedOut', 'cancelled', 'refunding', 'refunded'];
const moving = new Set<Stage>([
  'pointsUnknown',
  'preparing',
  'waiting',
  'checking',
  'closing',
  'refunding',
  'returning',
]);

const FIRST_LOOK_MS = 1500;
const LONGEST_PAUSE_MS = 30_000;

/** Milliseconds until the next poll, longer each time nothing has changed; false where nothing will change by itself. */
export function pauseBeforeLook(stage: Stage, unchangedLooks: number): number | false {
  if (!moving.has(stage)) return false;
  return Math.min(LONGEST_PAUSE_MS, Math.round(FIRST_LOOK_MS * 1.4 ** Math.min(unchangedLooks, 20)));
}
