import type { OrderData } from '../../domain/orders/responses.ts';
import { orderStatus, paymentStatus } from '../../domain/orders/states.ts';
import type { StatusLook } from '../components/status/status.ts';

/** The stage of an order, as its payer sees it. */
export type Stage =
  | 'payable'
  | 'pointsUnknown'
  | 'preparing'
  | 'waiting'
  | 'closing'
  | 'paid'
  | 'completed'
  | 'refused'
  | 'timedOut'
  | 'cancelled'
  | 'refunding'
  | 'refunded';

type Standing = Pick<OrderData, 'orderStatus' | 'paymentStatus' | 'paymentUrl' | 'expiresAt'>;

function pendingStage({ paymentUrl, expiresAt }: Standing, now: number): Stage {
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return 'closing';
  return paymentUrl === null ? 'preparing' : 'waiting';
}

/** @param now the service's clock, in milliseconds since the epoch */
export function stageOf(order: Standing, now: number): Stage {
  if (order.paymentStatus === paymentStatus.REFUND_PENDING) return 'refunding';
  if (order.paymentStatus === paymentStatus.REFUNDED) return 'refunded';
  switch (order.orderStatus) {
    case orderStatus.CREATED:
      return 'payable';
    case orderStatus.POINTS_UNKNOWN:
      return 'pointsUnknown';
    case orderStatus.PAYMENT_PENDING:
      return pendingStage(order, now);
    case orderStatus.DONE:
      return order.paymentStatus === paymentStatus.PAID ? 'paid' : 'completed';
    case orderStatus.TIMEOUT:
      return 'timedOut';
    case orderStatus.CANCELLED:
      return 'cancelled';
    default:
      return 'refused';
  }
}

export const stageLook: Record<Stage, StatusLook> = {
  payable: { color: 'info', icon: 'i-lucide-shopping-bag' },
  pointsUnknown: { color: 'warning', icon: 'i-lucide-circle-question-mark' },
  preparing: { color: 'info', icon: 'i-lucide-hourglass' },
  waiting: { color: 'info', icon: 'i-lucide-hourglass' },
  closing: { color: 'warning', icon: 'i-lucide-timer-off' },
  paid: { color: 'success', icon: 'i-lucide-circle-check' },
  completed: { color: 'success', icon: 'i-lucide-circle-check' },
  refused: { color: 'error', icon: 'i-lucide-circle-x' },
  timedOut: { color: 'neutral', icon: 'i-lucide-timer-off' },
  cancelled: { color: 'neutral', icon: 'i-lucide-ban' },
  refunding: { color: 'warning', icon: 'i-lucide-undo-2' },
  refunded: { color: 'neutral', icon: 'i-lucide-undo-2' },
};

export const payableStages: readonly Stage[] = ['payable', 'preparing', 'waiting'];
/** Where the holds are the payer's and run out. */
export const holdingStages: readonly Stage[] = ['preparing', 'waiting'];
const moving = new Set<Stage>(['pointsUnknown', 'preparing', 'waiting', 'closing', 'refunding']);

const FIRST_LOOK_MS = 1500;
const LONGEST_PAUSE_MS = 30_000;

/** Milliseconds until the next poll, longer each time nothing has changed; false where nothing will change by itself. */
export function pauseBeforeLook(stage: Stage, unchangedLooks: number): number | false {
  if (!moving.has(stage)) return false;
  return Math.min(LONGEST_PAUSE_MS, Math.round(FIRST_LOOK_MS * 1.4 ** Math.min(unchangedLooks, 20)));
}
