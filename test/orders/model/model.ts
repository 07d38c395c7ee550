import { type OrderStatus, orderStatus } from '#domain/orders/states.ts';

/**
 * The order service in plain code, as far as one payer and one tenant can tell. What runs by itself (a payment, an
 * expiry, a read of the charge) may be faster or slower than the next step, so the model says of each order where it
 * may be; what is observed narrows that down.
 */

const { CREATED, PAYMENT_PENDING: PENDING, DONE, FAILED, TIMEOUT, CANCELLED } = orderStatus;
export const ended: readonly OrderStatus[] = [DONE, FAILED, TIMEOUT, CANCELLED];

/** A piece of either goods costs this. */
export const PIECE = { points: 2, cash: 5 };
/** What orders without goods cost before deductions, in units. */
const GROSS = 10;
const WALLET_PER_UNIT = 4;

export type Kind = 'tenant' | 'wallet';
export const kinds: readonly Kind[] = ['tenant', 'wallet'];
/** `unlimited` stock is null. */
export type ModelGoods = 'limited' | 'unlimited';
export const coupons = [0, 1] as const;

/** What a payer orders. */
export interface Wish {
  goods: ModelGoods | null;
  qty: number;
  /** Without goods: whether there is something to pay in cash. */
  cash: boolean;
  /** Without goods; with goods, the pieces decide. */
  tenant: number;
  wallet: number;
  coupon: number | null;
}

/** A refund that staff asked for and the service accepted; `rest` is all that was left then, `lines` what pieces are worth. */
export interface StaffRefund {
  amount: number | 'rest' | 'lines';
  restorePoints: boolean;
  restock: boolean;
}

export interface ModelOrder extends Wish {
  name: string;
  /** Where it was when last seen. */
  at: Set<OrderStatus>;
  /** Where something that is under way, or may happen by itself, may take it while it has not ended. */
  ways: Set<OrderStatus>;
  /** In units; 0 if nothing is payable. */
  total: number;
  /** A hold that ends soon. */
  brief: boolean;
  /** It was seen waiting for the payer, or may have been. */
  held: boolean;
  /** Something was reported that differs from what was agreed: staff may have to decide. */
  disputed: boolean;
  refunds: StaffRefund[];
  /** Money went back that nobody here asked for, or pieces did: the rows say how much, and the sums must fit. */
  contested: boolean;
  /** What has gone back of a contested order, once all is at rest. */
  back: Back | null;
}

export interface Back extends Record<Kind, number> {
  coupon: number;
  goods: number;
}

export interface Model {
  orders: ModelOrder[];
  /** Granted and adjusted. */
  given: Record<Kind, number>;
  /** Of the limited goods: put and corrected, before sales. */
  stock: number;
}

export const startOf = (): Model => ({ orders: [], given: { tenant: 12, wallet: 16 }, stock: 4 });

/** The points of each kind that an order takes. */
export const pointsOf = ({ goods, qty, tenant, wallet }: Wish): Record<Kind, number> => ({
  tenant: goods === null ? tenant : qty * PIECE.points,
  wallet,
});

export const grossOf = ({ goods, qty, cash }: Wish): number => (goods === null ? (cash ? GROSS : 0) : qty * PIECE.cash);
export const totalOf = (wish: Wish): number => grossOf(wish) - wish.wallet / WALLET_PER_UNIT;

export const hasPoints = (wish: Wish): boolean => kinds.some((kind) => pointsOf(wish)[kind] > 0);

/** Where an order may be now. */
export function places({ at, ways }: ModelOrder): Set<OrderStatus> {
  const open = at.has(CREATED) || at.has(PENDING);
  return new Set(open ? [...at, ...ways] : at);
}

export const mayBe = (order: ModelOrder, ...statuses: OrderStatus[]): boolean =>
  statuses.some((status) => places(order).has(status));
export const mustBe = (order: ModelOrder, ...statuses: OrderStatus[]): boolean =>
  [...places(order)].every((status) => statuses.includes(status));

/** Something happens that may take the order there. */
export function lead(order: ModelOrder, ...statuses: OrderStatus[]): void {
  for (const status of statuses) order.ways.add(status);
  if (statuses.includes(PENDING)) order.held = true;
}

/** A bound from below and one from above. */
export interface Bounds {
  least: number;
  most: number;
}

interface Returns {
  /** Whether a refund gives back all of it. */
  by: (refund: StaffRefund) => boolean;
  what: keyof Back;
}

/** How much of something all orders take together: by those that surely take it, and by those that may. */
function taken(orders: readonly ModelOrder[], amountOf: (order: ModelOrder) => number, { by, what }: Returns): Bounds {
  const bounds = { least: 0, most: 0 };
  for (const order of orders) {
    const all = amountOf(order);
    const amount = all === 0 ? 0 : all - (order.back?.[what] ?? 0);
    const back = order.back === null && order.refunds.some(by);
    if (mustBe(order, PENDING, DONE) && !back) bounds.least += amount;
    // What a refund gives back is still taken until the gateway has confirmed it.
    if (mayBe(order, PENDING, DONE)) bounds.most += amount;
  }
  return bounds;
}

const free = (all: number, { least, most }: Bounds): Bounds => ({ least: all - most, most: all - least });

export const freePoints = ({ orders, given }: Model, kind: Kind): Bounds =>
  free(
    given[kind],
    taken(orders, (order) => pointsOf(order)[kind], { by: ({ restorePoints }) => restorePoints, what: kind }),
  );

export const freeStock = ({ orders, stock }: Model): Bounds =>
  free(
    stock,
    taken(orders, ({ goods, qty }) => (goods === 'limited' ? qty : 0), { by: ({ restock }) => restock, what: 'goods' }),
  );

export const freeCoupons = ({ orders }: Model, coupon: number): Bounds =>
  free(
    1,
    taken(orders, (order) => (order.coupon === coupon ? 1 : 0), {
      by: ({ restorePoints }) => restorePoints,
      what: 'coupon',
    }),
  );

/** Whether so much can surely be had, surely not, or perhaps. */
export type Had = 'yes' | 'perhaps' | 'no';
export const had = ({ least, most }: Bounds, wanted: number): Had =>
  wanted <= least ? 'yes' : wanted <= most ? 'perhaps' : 'no';

/** The codes with which what an order needs may be refused, the first that applies; and whether it can be had. */
export function refusals(needs: readonly [code: number, had: Had][]): { codes: Set<number>; granted: boolean } {
  const codes = new Set<number>();
  for (const [code, answer] of needs) {
    if (answer !== 'yes') codes.add(code);
    if (answer === 'no') return { codes, granted: false };
  }
  return { codes, granted: true };
}

const couponNeed = (model: Model, { coupon }: Wish): [number, Had] => [
  90201,
  coupon === null ? 'yes' : had(freeCoupons(model, coupon), 1),
];
const stockNeed = (model: Model, { goods, qty }: Wish): [number, Had] => [
  90039,
  goods === 'limited' ? had(freeStock(model), qty) : 'yes',
];

/** What a create checks. */
export const createNeeds = (model: Model, wish: Wish) => refusals([couponNeed(model, wish), stockNeed(model, wish)]);

/** What a pay holds: the same, and points. The model without the order itself says what is free. */
export function payNeeds(model: Model, order: ModelOrder) {
  const others = { ...model, orders: model.orders.filter((other) => other !== order) };
  const points = pointsOf(order);
  return refusals([
    couponNeed(others, order),
    stockNeed(others, order),
    ...kinds.map((kind): [number, Had] => [90300, had(freePoints(others, kind), points[kind])]),
  ]);
}

/** The units of a completed order's money that staff have refunded. */
export function refundedOf({ refunds }: ModelOrder, received: number): number {
  if (refunds.some(({ amount }) => amount === 'rest')) return received;
  return refunds.reduce((sum, { amount }) => sum + Number(amount), 0);
}

/** The money that came for an order, once nothing is under way. */
export interface Came {
  /** What a completed order was paid with, in units. */
  received: number;
  /** Money of its own charge went back. */
  own: boolean;
  /** Money of another charge went back: before the order ended, which shows nowhere, or after, which does. */
  other: boolean;
}

function triplesOfDone(order: ModelOrder, { received }: Came): string[] {
  const points = order.refunds.some(({ restorePoints }) => restorePoints) ? 50 : 30;
  if (order.total === 0) return [`30/${points}/0`];
  const refunded = refundedOf(order, received);
  return [`30/${points}/${refunded === 0 ? 30 : refunded < received ? 70 : 60}`];
}

/** The triples an order may show at one place, once nothing is under way. */
export function triplesAt(order: ModelOrder, place: OrderStatus, came: Came): string[] {
  const points = hasPoints(order);
  if (place === CREATED) return ['0/0/0'];
  if (place === PENDING) return [`20/${points ? 10 : 0}/10`];
  if (place === DONE) return triplesOfDone(order, came);
  const payments = (unpaid: number) => [...(came.own ? [] : [unpaid]), ...(came.own || came.other ? [60] : [])];
  const held = order.held ? payments(40).map((payment) => `${place}/${points ? 40 : 0}/${payment}`) : [];
  const unheld = place === CANCELLED ? payments(0).map((payment) => `60/0/${payment}`) : [];
  return [...held, ...unheld];
}
