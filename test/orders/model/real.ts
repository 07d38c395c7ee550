import { createOrdersActivities } from '#activities/orders/index.ts';
import { connect } from '#db/connection.ts';
import { rows } from '#db/database.ts';
import type { OrderStatus } from '#domain/orders/states.ts';
import type { FakeCharge, FakeDispute, FakeRefund } from '../support/fake-gateway.ts';
import type { PayReply } from '../support/orders-service.ts';
import { ok, type OpenShop, staff } from '../support/shop.ts';
import { createGatewayFaults, type ShopFaults } from './gateway-faults.ts';
import { coupons, kinds, lead, type Model, mayBe, type ModelOrder, PIECE, places, startOf } from './model.ts';
import { createTraffic } from './outages.ts';
import { orderStatus } from '#domain/orders/states.ts';
import { expectNothingStranded } from './stranded.ts';

/** What a request came to. */
export type Reply = Pick<PayReply, 'code'> & { data?: unknown };

/** One order as the service knows it. */
export interface PlacedOrder {
  orderId: string;
  orderNo: string;
}

/** The service under test, as the sequences share it. */
export function openStage(shop: OpenShop) {
  // The service's own connections are few, and busy; thirty sequences look at once.
  const observer = connect({
    url: shop.databaseUrl,
    schema: 'orders',
    applicationName: 'test-model',
    pool: { max: 10 },
  });
  const faults = createGatewayFaults(shop);
  const briefHolds = new Map<string, number>();
  const { pay } = shop.launcher;
  // A payer may ask for a minute at least; some of these holds end sooner.
  shop.launcher.pay = (input, tries) => {
    const ttlMs = briefHolds.get(input.orderId);
    return pay(ttlMs === undefined ? input : { ...input, ttlMs }, tries);
  };
  let sweeping: Promise<void> | undefined;
  let swept = 0;
  const sweep = async (): Promise<void> => {
    try {
      await shop.activities.driveOrders({ now: new Date().toISOString() });
    } catch {
      // The gateway failed one of the reads; the next round repeats it.
    }
    swept = Date.now();
    sweeping = undefined;
  };
  const tally = new Map<string, number>();
  return {
    shop,
    observer,
    faults,
    briefHolds,
    traffic: createTraffic(),
    /** What was done and what became of it, so that a test can tell whether anything happened at all. */
    tally,
    count: (what: string): void => void tally.set(what, (tally.get(what) ?? 0) + 1),
    /** One round of the sweep, shared by everybody who wants one now. */
    sweep: (): Promise<void> => (Date.now() - swept < 1000 ? Promise.resolve() : (sweeping ??= sweep())),
  };
}

export type Stage = ReturnType<typeof openStage>;

/** A tenant with goods, coupons and points of its own, so that many sequences can share one service. */
export interface Real extends Pick<Stage, 'shop' | 'observer' | 'briefHolds' | 'traffic' | 'sweep' | 'count'> {
  tenantId: string;
  orders: PlacedOrder[];
  faults: ShopFaults;
  /** The callbacks sent so far, by charge. */
  callbacks: Map<string, { eventId: string; changes: object }>;
  /** What staff say went back to the payer by another way, by charge, in units. */
  elsewhere: Map<string, number>;
  disputes: OpenedDispute[];
  /** Refunds at the gateway's desk that it has not told of yet. */
  untold: { charge: FakeCharge; refund: FakeRefund }[];
  next(): number;
}

/** A dispute as the gateway has it. */
export interface OpenedDispute {
  order: ModelOrder;
  charge: FakeCharge;
  dispute: FakeDispute;
  outcome: 'won' | 'lost' | null;
}

export const payer = 'u-1';

let tenants = 0;

/** Founds the tenant of one sequence. */
async function openReal(stage: Stage, model: Model): Promise<Real> {
  const { shop } = stage;
  const tenantId = `t-${(tenants += 1)}`;
  await shop.putTenant(tenantId);
  const orders: PlacedOrder[] = [];
  const faults = stage.faults.open(`paygw-${tenantId}`, (orderNo, { kind }) => {
    const order = model.orders[orders.findIndex((placed) => placed.orderNo === orderNo)];
    if (!order) return;
    if (kind === 'rejected') lead(order, orderStatus.FAILED);
    if (kind === 'unreached' || kind === 'phantom') lead(order, orderStatus.CREATED);
  });
  const option = { paymentOptionId: 'o', name: 'DEFAULT', pointAmount: PIECE.points, cashAmount: PIECE.cash };
  await Promise.all([
    shop.putGoods(`${tenantId}-limited`, tenantId, { stock: model.stock, paymentOptions: [option] }),
    shop.putGoods(`${tenantId}-unlimited`, tenantId, { stock: null, paymentOptions: [option] }),
    ...coupons.map((coupon) => shop.putCoupon(`${tenantId}-c${coupon}`, tenantId)),
    ...kinds.map((kind) => shop.grant(tenantId, kind, model.given[kind])),
  ]);
  let serial = 0;
  const { observer, briefHolds, traffic, sweep, count } = stage;
  const empty = { callbacks: new Map(), elsewhere: new Map(), disputes: [], untold: [] };
  return {
    shop,
    observer,
    briefHolds,
    traffic,
    sweep,
    count,
    tenantId,
    orders,
    faults,
    ...empty,
    next: () => (serial += 1),
  };
}

/** Founds a tenant for one sequence, with its model. */
export async function openSequence(stage: Stage): Promise<{ model: Model; real: Real }> {
  const model = startOf();
  return { model, real: await stage.traffic.join(() => openReal(stage, model)) };
}

export function placedAt(real: Real, model: Model, order: ModelOrder): PlacedOrder {
  const placed = real.orders[model.orders.indexOf(order)];
  if (!placed) throw new Error(`${order.name} was never placed`);
  return placed;
}

export const asPayer = ({ tenantId }: Real) => ({ tenantId, userId: payer });

export const byStaff = ({ shop, tenantId }: Real, path: string, body: unknown): Promise<PayReply> =>
  shop.request('POST', `/admin${path}`, body, staff(tenantId));

/** The charges that the gateway has for an order, oldest first. */
export const chargesOf = ({ shop }: Pick<Real, 'shop'>, { orderNo }: PlacedOrder): FakeCharge[] =>
  [...shop.gateway.charges.values()].filter((charge) => charge.orderNo === orderNo);

export const isPaid = ({ status }: FakeCharge): boolean => status === 'paid' || status === 'refunded';

/** The charge that a completed order was paid with. */
export const keptCharge = (real: Real, placed: PlacedOrder): FakeCharge | undefined =>
  chargesOf(real, placed).find((charge) => isPaid(charge) && !real.faults.phantoms.has(charge.chargeId));

/** What the gateway can still give back of a charge, in units. */
export const leftOf = ({ amount, refundedAmount, disputedAmount = 0 }: FakeCharge): number =>
  amount - refundedAmount - disputedAmount;

/** The money that the order keeps or kept before staff refunded it: that of the charge its payment made. */
export function receivedFor(real: Real, placed: PlacedOrder, accepted: boolean): number {
  return accepted ? (keptCharge(real, placed)?.amount ?? 0) : 0;
}

/** What a second execution of an activity does that was taken for dead: it finds out that it never reached the gateway. */
export function stalledSend({ shop }: Real, order: ModelOrder, placed: PlacedOrder) {
  const { paymentGateway } = shop;
  const createCharge: typeof paymentGateway.createCharge = async () => {
    const end = Date.now() + 2000;
    while (chargesOf({ shop }, placed).length === 0 && Date.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 10));
    if (chargesOf({ shop }, placed).length === 0) lead(order, orderStatus.CREATED);
    return { kind: 'not_reached', reason: 'it stalled' };
  };
  return createOrdersActivities({
    database: shop.database,
    gateway: { ...paymentGateway, createCharge },
    callbackUrl: `${shop.base}/payment-gateway/callback`,
    maxOpenHolds: 20,
    traces: null,
    resumePayment: shop.launcher.resumePayment,
    startRefund: shop.launcher.startRefund,
    startReport: shop.launcher.startReport,
  });
}

export interface SeenOrder {
  orderId: string;
  orderStatus: OrderStatus;
  pointsStatus: number;
  paymentStatus: number;
  attempt: number;
  flagged: boolean;
}

/** The tenant's orders as the rows have them, in the order of the model. */
export async function seeOrders({ observer, tenantId, orders }: Real): Promise<SeenOrder[]> {
  const found = await rows<SeenOrder>(
    observer,
    `select order_id, order_status, points_status, payment_status, attempt, exists (select 1 from order_flag f
       where f.order_id = o.order_id and f.resolved_at is null) as flagged
     from customer_order o where tenant_id = :tenantId`,
    { tenantId },
  );
  return orders.flatMap(({ orderId }) => found.filter((seen) => seen.orderId === orderId));
}

/** Checks that every order is where it may be, and nothing is stranded; from here on the model knows where they are. */
export async function watch(model: Model, real: Real): Promise<void> {
  await expectNothingStranded(real.observer, real.tenantId);
  const seen = await seeOrders(real);
  for (const [index, order] of model.orders.entries()) {
    const status = seen[index]?.orderStatus;
    if (status === undefined) throw new Error(`${order.name} has no row`);
    if (!mayBe(order, status))
      throw new Error(`${order.name} is at ${status}; it may only be at ${[...places(order)].join(', ')}`);
    order.at = new Set([status]);
    if (status === orderStatus.PAYMENT_PENDING) order.held = true;
  }
}

export { ok };
