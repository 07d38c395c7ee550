import type { GivenBack } from '#domain/orders/lines.ts';
import { openOrderStatuses } from '#domain/orders/states.ts';
import { rows, type Transaction } from '../database.ts';
import { firstPrepared, type Prepared } from '../prepared.ts';
import { recordingStockOf } from './catalogue/stock-history.ts';
import { type Movement, movePoints } from './ledger.ts';
import type { OrderRow } from './orders.ts';

/**
 * What an order takes while it is being paid (`opening/`): coupons, points and stock, all in one transaction. Everyone who
 * takes or gives back does so in this order, and by id within it, so that they cannot deadlock. Stock comes last: the
 * whole shop may be waiting for its row.
 */

/** The quantity of each item of goods, over all lines. */
function quantities(lines: readonly { goodsId: string; qty: number }[]): { goodsIds: string[]; amounts: number[] } {
  const wanted = new Map<string, number>();
  for (const { goodsId, qty } of lines) wanted.set(goodsId, (wanted.get(goodsId) ?? 0) + qty);
  return { goodsIds: [...wanted.keys()], amounts: [...wanted.values()] };
}

/** SQL for whether an order, of this name, takes anything that others may want. */
export const holdsSomething = (order: string): string =>
  `(${order}.tenant_points > 0 or ${order}.district_points > 0 or ${order}.wallet_points > 0
     or ${order}.coupon_ids <> '{}' or ${order}.lines <> '[]')`;

/** SQL for how many other payments of the payer of the order `o`, at its tenant, hold something and are neither paid nor ended. */
export const openHolds = `select count(*) from customer_order other
  where other.tenant_id = o.tenant_id and other.user_id = o.user_id and other.order_id <> o.order_id
    and other.order_status in (${openOrderStatuses.join(', ')}) and ${holdsSomething('other')}
    and exists (select 1 from payment_attempt a
      where a.order_id = other.order_id and a.attempt = other.attempt and a.hold_status = 'reserved')`;

/**
 * Lets one payer hold only so much of what others want, too. The lock, which ends with the transaction, makes the
 * payer's payments count one after the other: each counts what the one before has committed.
 */
export async function queueOpenHolds(transaction: Transaction, orderId: string): Promise<void> {
  await firstPrepared(transaction, queue, { orderId });
}

const queue: Prepared = {
  name: 'queue-open-holds',
  sql: `select pg_advisory_xact_lock(hashtextextended(jsonb_build_array('open holds', o.tenant_id, o.user_id)::text, 0))
    from customer_order o where o.order_id = :orderId and o.total_minor > 0 and ${holdsSomething('o')}`,
};

const ownReserved = `status = 'reserved' and order_id = :orderId`;

const couponChange: Record<Movement, { where: string; set: string }> = {
  commit: { where: ownReserved, set: `status = 'used'` },
  release: { where: ownReserved, set: `status = 'available', order_id = null` },
  return: { where: `status = 'used' and order_id = :orderId`, set: `status = 'available', order_id = null` },
};

/** Unlimited stock is null, and stays so: null minus a quantity is null. */
const stockChange: Record<Movement, { where: string; set: string; delta: string }> = {
  commit: { where: 'g.held >= w.qty', set: 'held = g.held - l.qty, stock = g.stock - l.qty', delta: '-l.qty' },
  release: { where: 'g.held >= w.qty', set: 'held = g.held - l.qty', delta: '0' },
  return: { where: 'true', set: 'stock = g.stock + l.qty', delta: 'l.qty' },
};

async function changeCoupons(transaction: Transaction, movement: Movement, order: OrderRow): Promise<boolean> {
  const { couponIds, orderId } = order;
  if (couponIds.length === 0) return true;
  const { where, set } = couponChange[movement];
  const changed = await rows(
    transaction,
    `with locked as (select coupon_id from coupon where coupon_id = any(:couponIds) and ${where}
       order by coupon_id for no key update)
     update coupon c set ${set} from locked l where c.coupon_id = l.coupon_id returning 1`,
    { couponIds, orderId },
  );
  return changed.length === couponIds.length;
}

async function changeStock(
  transaction: Transaction,
  movement: Movement,
  orderId: string,
  lines: readonly { goodsId: string; qty: number }[],
): Promise<boolean> {
  const { goodsIds, amounts } = quantities(lines);
  if (goodsIds.length === 0) return true;
  const { where, set, delta } = stockChange[movement];
  const changed = await rows(
    transaction,
    `with wanted as (select * from unnest(cast(:goodsIds as text[]), cast(:amounts as bigint[])) as w (goods_id, qty)),
     locked as (select g.goods_id, w.qty from goods g join wanted w using (goods_id) where ${where}
       order by g.goods_id for no key update of g),
     changed as (
       update goods g set ${set} from locked l where g.goods_id = l.goods_id
       returning g.goods_id, g.stock, ${delta} as delta, cast(:orderId as text) as order_id),
     noted as (${recordingStockOf('changed')})
     select 1 from changed`,
    { goodsIds, amounts, orderId },
  );
  return changed.length === goodsIds.length;
}

/**
 * Commits or gives back everything an order holds. Call it as the last thing in the transaction. The caller makes sure
 * that it happens once per attempt.
 */
export async function changeHold(
  transaction: Transaction,
  movement: 'commit' | 'release',
  order: OrderRow,
): Promise<void> {
  const changed =
    (await changeCoupons(transaction, movement, order)) &&
    (await movePoints(transaction, movement, order)) &&
    (await changeStock(transaction, movement, order.orderId, order.lines));
  if (!changed) throw new Error(`order ${order.orderId} does not hold what it should ${movement}`);
}

/** Gives back of what a completed order has used. The caller holds the order's lock and does each refund once. */
export async function returnHold(
  transaction: Transaction,
  order: OrderRow,
  { refundId, givenBack: { points, coupons, goods } }: { refundId: string; givenBack: GivenBack },
): Promise<void> {
  const returned =
    (!coupons || (await changeCoupons(transaction, 'return', order))) &&
    (await movePoints(transaction, 'return', order, { partId: refundId, points })) &&
    (await changeStock(transaction, 'return', order.orderId, goods));
  if (!returned) throw new Error(`order ${order.orderId} has not used what it should give back`);
}
