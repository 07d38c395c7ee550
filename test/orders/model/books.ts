import { rows } from '#db/database.ts';
import { orderStatus } from '#domain/orders/states.ts';
import { triple } from '../support/shop.ts';
import type { FakeCharge } from '../support/fake-gateway.ts';
import {
  coupons,
  freeCoupons,
  freePoints,
  freeStock,
  kinds,
  type Model,
  mayBe,
  type ModelOrder,
  pointsOf,
  refundedOf,
  triplesAt,
} from './model.ts';
import {
  chargesOf,
  isPaid,
  payer,
  type PlacedOrder,
  type Real,
  receivedFor,
  seeOrders,
  type SeenOrder,
} from './real.ts';
import { cents, compareBack, type Comparison, givenBackOf, type MoneyBack, readBack } from './money-back.ts';

const { CREATED, PAYMENT_PENDING: PENDING, DONE } = orderStatus;

/** What the payer got back of a charge, by the gateway or by staff. */
const backOf = ({ elsewhere }: Real, { chargeId, refundedAmount }: FakeCharge): number =>
  refundedAmount + (elsewhere.get(chargeId) ?? 0);

/** The money of one order: at most one charge is kept, by a completed order; everything else that came went back. */
function compareMoney(real: Real, order: ModelOrder, placed: PlacedOrder, seen: SeenOrder): Comparison[] {
  const charges = chargesOf(real, placed);
  const paid = charges.filter(isPaid);
  const own = paid.filter(({ chargeId }) => !real.faults.phantoms.has(chargeId));
  const completed = seen.orderStatus === DONE && order.total > 0;
  const kept = completed ? own.slice(0, 1) : [];
  // What went back of it is compared with its rows.
  const exact = order.contested ? [] : kept;
  const back = (charge: FakeCharge) => cents(backOf(real, charge));
  const amountOf = (charge: FakeCharge) => cents(charge.amount);
  return [
    [`${order.name}: charges accepted`, completed ? 1 : 0, kept.length],
    ...exact.map((charge): Comparison => [
      `${order.name}: refunded by staff`,
      cents(refundedOf(order, charge.amount)),
      back(charge),
    ]),
    ...paid
      .filter((charge) => !kept.includes(charge))
      .map((charge): Comparison => [`${order.name}: given back of ${charge.chargeId}`, amountOf(charge), back(charge)]),
    [
      `${order.name}: charges that can still be paid`,
      0,
      seen.orderStatus === PENDING
        ? 0
        : charges.filter(({ status, chargeId }) => status === 'pending' && !real.faults.phantoms.has(chargeId)).length,
    ],
  ];
}

function compareStatuses(real: Real, order: ModelOrder, placed: PlacedOrder, seen: SeenOrder): Comparison[] {
  const received = receivedFor(real, placed, seen.orderStatus === DONE);
  const paid = chargesOf(real, placed).filter(isPaid);
  const isOther = ({ chargeId }: FakeCharge) => real.faults.phantoms.has(chargeId);
  const came = { received, own: paid.some((charge) => !isOther(charge)), other: paid.some(isOther) };
  if (order.contested && seen.orderStatus === DONE) return [];
  const expected = triplesAt(order, seen.orderStatus, came);
  const actual = triple(seen);
  return [
    [`${order.name}: where it may be`, true, mayBe(order, seen.orderStatus)],
    [`${order.name}: statuses`, expected.includes(actual) ? actual : expected.join(' or '), actual],
  ];
}

const backOfOrder = ({ backs }: Stored, placed: PlacedOrder | undefined) =>
  backs.find(({ orderId }) => orderId === placed?.orderId);

interface Stored {
  goods: { goodsId: string; stock: number | null; held: number }[];
  coupons: { couponId: string; status: string }[];
  accounts: { kind: string; granted: number; available: number; reserved: number; committed: number }[];
  /** In minor units. */
  cash: { account: string; balance: number }[];
  openRefunds: number;
  openEvents: number;
  backs: MoneyBack[];
}

async function readStored({ observer, tenantId }: Real): Promise<Stored> {
  const read = <Row extends object>(sql: string) => rows<Row>(observer, sql, { tenantId, payer });
  const [goods, held, accounts, cash, backs, open] = await Promise.all([
    read<Stored['goods'][number]>('select goods_id, stock, held from goods where tenant_id = :tenantId'),
    read<Stored['coupons'][number]>('select coupon_id, status from coupon where tenant_id = :tenantId'),
    read<Stored['accounts'][number]>(
      'select kind, granted, available, reserved, committed from point_account where tenant_id = :tenantId and user_id = :payer',
    ),
    read<Stored['cash'][number]>(
      'select account, sum(amount_minor)::bigint as balance from cash_entry where tenant_id = :tenantId group by account',
    ),
    readBack(observer, tenantId),
    read<Pick<Stored, 'openRefunds' | 'openEvents'>>(
      `select (select count(*) from refund where tenant_id = :tenantId and status <> 'confirmed') as open_refunds,
         (select count(*) from gateway_event e join customer_order o using (order_id)
          where o.tenant_id = :tenantId and (e.status = 'stored'
            or (e.status = 'unmatched' and e.type <> 'charge.refunded'))) as open_events`,
    ),
  ]);
  const [counts] = open;
  if (!counts) throw new Error('nothing was counted');
  return { goods, coupons: held, accounts, cash, backs, ...counts };
}

/** What all orders at this status take of something. */
const sumAt = (model: Model, status: number, amountOf: (order: ModelOrder) => number): number =>
  model.orders
    .filter(({ at }) => [...at].every((one) => one === status))
    .reduce((sum, order) => sum + amountOf(order), 0);

/** Points, stock and coupons: what was given is what is there, held, or used by completed orders. */
function compareHoldings({ tenantId }: Real, model: Model, stored: Stored): Comparison[] {
  const points = kinds.flatMap((kind): Comparison[] => {
    const account = stored.accounts.find((row) => row.kind === kind);
    const reserved = sumAt(model, PENDING, (order) => pointsOf(order)[kind]);
    const available = freePoints(model, kind);
    return [
      [`${kind} points granted`, model.given[kind], account?.granted],
      [`${kind} points reserved`, reserved, account?.reserved],
      [`${kind} points available`, available.most, account?.available],
      [`${kind} points committed`, model.given[kind] - reserved - available.most, account?.committed],
    ];
  });
  const heldOf = (goods: string) => sumAt(model, PENDING, (order) => (order.goods === goods ? order.qty : 0));
  const goods = stored.goods.flatMap(({ goodsId, stock, held }): Comparison[] => {
    const name = goodsId.slice(tenantId.length + 1);
    const expected = name === 'limited' ? freeStock(model).most + heldOf(name) : null;
    return [
      [`stock of ${name} goods`, expected, stock],
      [`held of ${name} goods`, heldOf(name), held],
    ];
  });
  const used = coupons.map((coupon): Comparison => {
    const status = stored.coupons.find(({ couponId }) => couponId === `${tenantId}-c${coupon}`)?.status;
    return [`coupon ${coupon} is free`, freeCoupons(model, coupon).most === 1, status === 'available'];
  });
  return [...points, ...goods, ...used];
}

/**
 * Money, over all orders: what the gateway kept, less what was given back elsewhere, is what completed orders received,
 * less their refunds; the cash accounts say the same, and nothing is owed by or to anybody.
 */
function compareCash(real: Real, model: Model, seen: SeenOrder[], stored: Stored): Comparison[] {
  let [kept, earned, disputed] = [0, 0, 0];
  for (const [index, order] of model.orders.entries()) {
    const placed = real.orders[index];
    if (!placed) continue;
    const back = order.contested ? backOfOrder(stored, placed) : undefined;
    if (back) {
      const received = cents(receivedFor(real, placed, true));
      kept += received - back.byService - back.atDesk - back.lost;
      earned += received - back.byService - back.atDesk - back.lost - back.elsewhere;
      disputed += back.disputed;
      continue;
    }
    for (const { amount, refundedAmount } of chargesOf(real, placed).filter(isPaid))
      kept += cents(amount - refundedAmount);
    const received = receivedFor(real, placed, seen[index]?.orderStatus === DONE);
    earned += cents(received - refundedOf(order, received));
  }
  const elsewhere = [...real.elsewhere.values()].reduce((sum, units) => sum + cents(units), 0);
  const due = sumAt(model, PENDING, ({ total }) => cents(total));
  const balances = {
    gateway: kept - disputed,
    disputed,
    elsewhere: -elsewhere,
    sales: -earned - due,
    refunds: 0,
    receivable: due,
  };
  const balanceOf = (account: string) => stored.cash.find((row) => row.account === account)?.balance ?? 0;
  return [
    ['cash kept', earned, kept - elsewhere],
    ...Object.entries(balances).map(([account, balance]): Comparison => [
      `cash account ${account}`,
      // Not minus zero.
      balance + 0,
      balanceOf(account),
    ]),
  ];
}

/** Everything that is not as the model has it, one line each; empty once all has come to rest. */
export async function differences(model: Model, real: Real): Promise<string[]> {
  const [seen, stored] = await Promise.all([seeOrders(real), readStored(real)]);
  for (const [index, order] of model.orders.entries()) {
    const back = order.contested ? backOfOrder(stored, real.orders[index]) : undefined;
    order.back = back ? givenBackOf(back) : null;
    const status = seen[index]?.orderStatus;
    if (status !== undefined && mayBe(order, status)) order.at = new Set([status]);
    // What might still happen by itself has not: the order rests where it is.
    if (status === CREATED) order.ways.clear();
  }
  const comparisons = model.orders.flatMap((order, index): Comparison[] => {
    const [placed, row] = [real.orders[index], seen[index]];
    if (!placed || !row) return [[`${order.name}: has a row`, true, false]];
    const back = order.contested ? backOfOrder(stored, placed) : undefined;
    return [
      ...compareStatuses(real, order, placed, row),
      ...compareMoney(real, order, placed, row),
      ...(back ? compareBack(real, order, { placed, row, back }) : []),
    ];
  });
  const all: Comparison[] = [
    ...comparisons,
    ...compareHoldings(real, model, stored),
    ...compareCash(real, model, seen, stored),
    ['open refunds', 0, stored.openRefunds],
    ['open callbacks', 0, stored.openEvents],
  ];
  return all
    .filter(([, expected, actual]) => expected !== actual)
    .map(([name, expected, actual]) => `${name}: ${String(expected)} expected, there is ${String(actual)}`);
}
