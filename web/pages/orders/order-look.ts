import type { OrderData } from '#domain/orders/responses.ts';
import { orderStatusName, paymentStatusName, pointsStatusName } from '#domain/orders/states.ts';
import type { StatusStyle } from '#web/components/status/status.ts';

/** The three axes of an order, in display order. */
export const axes = ['order', 'points', 'payment'] as const;
export type Axis = (typeof axes)[number];

type Statuses = Pick<OrderData, 'orderStatus' | 'pointsStatus' | 'paymentStatus'>;

/** The names of the statuses as the API gives them, e.g. PAYMENT_PENDING. */
export function namesOf(of: Statuses): Record<Axis, string> {
  return {
    order: orderStatusName(of.orderStatus),
    points: pointsStatusName(of.pointsStatus),
    payment: paymentStatusName(of.paymentStatus),
  };
}

export const codesOf = (of: Statuses): Record<Axis, number> => ({
  order: of.orderStatus,
  points: of.pointsStatus,
  payment: of.paymentStatus,
});

const none: StatusStyle = { color: 'neutral', icon: 'i-lucide-circle-dashed' };
const unknown: StatusStyle = { color: 'warning', icon: 'i-lucide-circle-question-mark' };
const waiting: StatusStyle = { color: 'info', icon: 'i-lucide-hourglass' };
const good: StatusStyle = { color: 'success', icon: 'i-lucide-circle-check' };
const ended: StatusStyle = { color: 'neutral', icon: 'i-lucide-ban' };

const looks: Record<Axis, Record<string, StatusStyle>> = {
  order: {
    CREATED: { color: 'neutral', icon: 'i-lucide-shopping-bag' },
    POINTS_UNKNOWN: unknown,
    PAYMENT_PENDING: waiting,
    DONE: good,
    FAILED: { color: 'error', icon: 'i-lucide-circle-x' },
    TIMEOUT: { color: 'neutral', icon: 'i-lucide-timer-off' },
    CANCELLED: ended,
  },
  points: {
    NONE: none,
    RESERVED: { color: 'info', icon: 'i-lucide-lock' },
    UNKNOWN: unknown,
    COMMITTED: good,
    RELEASED: { color: 'neutral', icon: 'i-lucide-lock-open' },
    RETURNED: { color: 'neutral', icon: 'i-lucide-undo-2' },
  },
  payment: {
    NONE: none,
    PENDING: waiting,
    PAID: good,
    CANCELLED: ended,
    REFUND_PENDING: { color: 'warning', icon: 'i-lucide-undo-2' },
    REFUNDED: { color: 'neutral', icon: 'i-lucide-undo-2' },
    PARTIALLY_REFUNDED: { color: 'warning', icon: 'i-lucide-undo-dot' },
  },
};

export const lookOf = (axis: Axis, name: string): StatusStyle => looks[axis][name] ?? none;
/** Names of order statuses, in the order of an order's life. */
export const orderStates = Object.keys(looks.order);
