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

/**
 * The triple an order moves to, by event. `points` says whether the order holds any tenant, district or wallet
 * points; if it holds none, its points status stays 0 until success, which is always 30/30.
 */
export const transitions = {
  created: () => statuses(0, 0, 0),
  reservationUnknown: (points: boolean) => statuses(10, points ? 20 : 0, 0),
  pending: (points: boolean) => statuses(20, points ? 10 : 0, 10),
  doneWithoutCash: () => statuses(30, 30, 0),
  paid: () => statuses(30, 30, 30),
  rejectedByGateway: (points: boolean) => statuses(40, points ? 40 : 0, 40),
  expired: (points: boolean) => statuses(50, points ? 40 : 0, 40),
  cancelledBeforePay: () => statuses(60, 0, 0),
  cancelled: (points: boolean) => statuses(60, points ? 40 : 0, 40),
  refundedByStaff: (points: boolean) => statuses(40, points ? 40 : 0, 50),
  /** All of its money went back at the gateway before it was completed. */
  refundedAtGateway: (points: boolean) => statuses(40, points ? 40 : 0, 60),
} satisfies Record<string, (points: boolean) => Statuses>;
