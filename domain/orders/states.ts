/** The three status axes of an order; S1, States and transitions, and section 7 of the contract. */
export const orderStatus = {
  CREATED: 0,
  POINTS_UNKNOWN: 10,
  PAYMENT_PENDING: 20,
  DONE: 30,
  FAILED: 40,
  TIMEOUT: 50,
  CANCELLED: 60,
} as const;

/** A payment is in progress: its hold and charge must be completed or released. */
export const openOrderStatuses = [orderStatus.POINTS_UNKNOWN, orderStatus.PAYMENT_PENDING] as const;

export const pointsStatus = { NONE: 0, RESERVED: 10, UNKNOWN: 20, COMMITTED: 30, RELEASED: 40, RETURNED: 50 } as const;

export const paymentStatus = {
  NONE: 0,
  PENDING: 10,
  PAID: 30,
  CANCELLED: 40,
  REFUND_PENDING: 50,
  REFUNDED: 60,
  PARTIALLY_REFUNDED: 70,
} as const;

export type OrderStatus = (typeof orderStatus)[keyof typeof orderStatus];
export type PointsStatus = (typeof pointsStatus)[keyof typeof pointsStatus];
export type PaymentStatus = (typeof paymentStatus)[keyof typeof paymentStatus];

export interface Statuses {
  orderStatus: OrderStatus;
  pointsStatus: PointsStatus;
  paymentStatus: PaymentStatus;
}

/** The flag of an order while a dispute of it is open: unlike other flags, staff cannot end it. */
export const DISPUTED = 'disputed';

/** Returns the name of a code on one axis; a code without a name is its own name. */
function naming(axis: Record<string, number>): (code: number) => string {
  const names = new Map(Object.entries(axis).map(([name, code]) => [code, name]));
  return (code) => names.get(code) ?? String(code);
}

/** The status's name, by which on-call staff filter (search attribute BizStatus). */
export const orderStatusName = naming(orderStatus);
export const pointsStatusName = naming(pointsStatus);
export const paymentStatusName = naming(paymentStatus);

const statuses = (order: OrderStatus, points: PointsStatus, payment: PaymentStatus): Statuses => ({
  orderStatus: order,
  pointsStatus: points,
  paymentStatus: payment,
});

const { CREATED, POINTS_UNKNOWN, PAYMENT_PENDING, DONE, FAILED, TIMEOUT, CANCELLED } = orderStatus;
const { NONE, RESERVED, UNKNOWN, COMMITTED, RELEASED } = pointsStatus;

/** The points of an order that ends without having used them. */
const released = (points: boolean) => (points ? RELEASED : NONE);

/**
 * The triple an order moves to, by event. `points` says whether the order holds any tenant, district or wallet
 * points; if it holds none, its points status stays 0 until success, which is always 30/30.
 */
export const transitions = {
  created: () => statuses(CREATED, NONE, paymentStatus.NONE),
  reservationUnknown: (points: boolean) => statuses(POINTS_UNKNOWN, points ? UNKNOWN : NONE, paymentStatus.NONE),
  pending: (points: boolean) => statuses(PAYMENT_PENDING, points ? RESERVED : NONE, paymentStatus.PENDING),
  doneWithoutCash: () => statuses(DONE, COMMITTED, paymentStatus.NONE),
  paid: () => statuses(DONE, COMMITTED, paymentStatus.PAID),
  rejectedByGateway: (points: boolean) => statuses(FAILED, released(points), paymentStatus.CANCELLED),
  expired: (points: boolean) => statuses(TIMEOUT, released(points), paymentStatus.CANCELLED),
  cancelledBeforePay: () => statuses(CANCELLED, NONE, paymentStatus.NONE),
  cancelled: (points: boolean) => statuses(CANCELLED, released(points), paymentStatus.CANCELLED),
  refundedByStaff: (points: boolean) => statuses(FAILED, released(points), paymentStatus.REFUND_PENDING),
  /** All of its money went back at the gateway before it was completed. */
  refundedAtGateway: (points: boolean) => statuses(FAILED, released(points), paymentStatus.REFUNDED),
} satisfies Record<string, (points: boolean) => Statuses>;
