import type { OrderErrorCode } from '../../domain/orders/codes.ts';
import type { RejectionReason } from '../../domain/orders/payment.ts';
import { openOrderStatuses } from '../../domain/orders/states.ts';
import { type Database, firstRow, rows, type Transaction } from '../database.ts';
import { usableCoupons } from './catalogue/coupons.ts';
import { enoughPoints, hasPoints, movePoints, type OrderMovement } from './ledger.ts';
import { Goods } from './models/catalogue.ts';
import type { OrderRow } from './orders.ts';
import { lockName } from './transaction.ts';

/**
 * What an order takes while it is being paid: coupons, points and stock, all in one transaction. Everyone who takes
 * or gives back does so in this order, and by id within it, so that they cannot deadlock. Stock comes last: the whole
 * shop may be waiting for its row.
 */

/** Something that the order needs cannot be had, see missingHold; the transaction has to be rolled back. */
export class HoldRefused extends Error {
  override name = 'HoldRefused';
}

/** The quantity of each item of goods that an order takes, over all its lines. */
function quantities(order: OrderRow): { goodsIds: string[]; amounts: number[] } {
  const wanted = new Map<string, number>();
  for (const { goodsId, qty } of order.lines) wanted.set(goodsId, (wanted.get(goodsId) ?? 0) + qty);
  return { goodsIds: [...wanted.keys()], amounts: [...wanted.values()] };
}

async function stockEnough(database: Database, order: OrderRow): Promise<boolean> {
  const { goodsIds, amounts } = quantities(order);
  if (goodsIds.length === 0) return true;
  const found = await Goods.query(database).findByIds(goodsIds);
  const free = new Map(found.map(({ goodsId, stock, held }) => [goodsId, stock === null ? Infinity : stock - held]));
  return goodsIds.every((goodsId, index) => (free.get(goodsId) ?? 0) >= (amounts[index] ?? 0));
}

const holdsSomething = (order: OrderRow): boolean =>
  hasPoints(order) || order.couponIds.length > 0 || order.lines.length > 0;

/** How many other payments of its payer at its tenant hold something and are neither paid nor ended. */
async function openHolds(database: Database, { tenantId, userId, orderId }: OrderRow): Promise<number> {
  const row = await firstRow<{ count: number }>(
    database,
    `select count(*) as count from customer_order o
     where o.tenant_id = :tenantId and o.user_id = :userId and o.order_id <> :orderId
       and o.order_status in (${openOrderStatuses.join(', ')})
       and (o.tenant_points > 0 or o.district_points > 0 or o.wallet_points > 0 or o.coupon_ids <> '{}' or o.lines <> '[]')
       and exists (select 1 from payment_attempt a
         where a.order_id = o.order_id and a.attempt = o.attempt and a.hold_status = 'reserved')`,
    { tenantId, userId, orderId },
  );
  return row?.count ?? 0;
}

/**
 * Lets one payer hold only so much of what others want, too. The lock, which ends with the transaction, makes the
 * payer's payments count one after the other.
 */
async function claimOpenHold(transaction: Transaction, order: OrderRow, maxOpenHolds: number): Promise<boolean> {
  if (!holdsSomething(order)) return true;
  await lockName(transaction, ['open holds', order.tenantId, order.userId]);
  return (await openHolds(transaction, order)) < maxOpenHolds;
}

export interface MissingHold {
  code: OrderErrorCode;
  reason?: RejectionReason;
}

/** The first thing that the order needs and cannot have now, or null. Nothing is locked. */
export async function missingHold(
  database: Database,
  order: OrderRow,
  maxOpenHolds: number,
): Promise<MissingHold | null> {
  const { tenantId, userId, couponIds } = order;
  const coupons = await usableCoupons(database, { tenantId, userId }, couponIds);
  if (coupons.size < couponIds.length) return { code: 90201 };
  const opens = order.totalMinor > 0 && holdsSomething(order);
  if (opens && (await openHolds(database, order)) >= maxOpenHolds) return { code: 90039, reason: 'open_holds' };
  if (!(await stockEnough(database, order))) return { code: 90039 };
  return (await enoughPoints(database, order)) ? null : { code: 90300 };
}

const usable = `status = 'available' and tenant_id = :tenantId and user_id = :userId`;
const ownReserved = `status = 'reserved' and order_id = :orderId`;

const couponChange: Record<OrderMovement, { where: string; set: string }> = {
  reserve: { where: usable, set: `status = 'reserved', order_id = :orderId` },
  take: { where: usable, set: `status = 'used', order_id = :orderId` },
  commit: { where: ownReserved, set: `status = 'used'` },
  release: { where: ownReserved, set: `status = 'available', order_id = null` },
  return: { where: `status = 'used' and order_id = :orderId`, set: `status = 'available', order_id = null` },
};

const enoughStock = '(g.stock is null or g.stock - g.held >= w.qty)';

/** Unlimited stock is null, and stays so: null minus a quantity is null. */
const stockChange: Record<OrderMovement, { where: string; set: string }> = {
  reserve: { where: enoughStock, set: 'held = g.held + l.qty' },
  take: { where: enoughStock, set: 'stock = g.stock - l.qty' },
  commit: { where: 'g.held >= w.qty', set: 'held = g.held - l.qty, stock = g.stock - l.qty' },
  release: { where: 'g.held >= w.qty', set: 'held = g.held - l.qty' },
  return: { where: 'true', set: 'stock = g.stock + l.qty' },
};

async function changeCoupons(transaction: Transaction, movement: OrderMovement, order: OrderRow): Promise<boolean> {
  const { couponIds, tenantId, userId, orderId } = order;
  if (couponIds.length === 0) return true;
  const { where, set } = couponChange[movement];
  const changed = await rows(
    transaction,
    `with locked as (select coupon_id from coupon where coupon_id = any(:couponIds) and ${where}
       order by coupon_id for no key update)
     update coupon c set ${set} from locked l where c.coupon_id = l.coupon_id returning 1`,
    { couponIds, tenantId, userId, orderId },
  );
  return changed.length === couponIds.length;
}

async function changeStock(transaction: Transaction, movement: OrderMovement, order: OrderRow): Promise<boolean> {
  const { goodsIds, amounts } = quantities(order);
  if (goodsIds.length === 0) return true;
  const { where, set } = stockChange[movement];
  const changed = await rows(
    transaction,
    `with wanted as (select * from unnest(cast(:goodsIds as text[]), cast(:amounts as bigint[])) as w (goods_id, qty)),
     locked as (select g.goods_id, w.qty from goods g join wanted w using (goods_id) where ${where}
       order by g.goods_id for no key update of g)
     update goods g set ${set} from locked l where g.goods_id = l.goods_id returning 1`,
    { goodsIds, amounts },
  );
  return changed.length === goodsIds.length;
}

/**
 * Takes what a payment that is being opened holds: until the gateway reports it paid, or, if nothing is payable, for
 * good. Call it as the last thing in the transaction.
 * @throws HoldRefused if something cannot be had; what it is says missingHold in another transaction.
 */
export async function takeHold(transaction: Transaction, order: OrderRow, maxOpenHolds: number): Promise<void> {
  const movement = order.totalMinor > 0 ? 'reserve' : 'take';
  const taken =
    (await changeCoupons(transaction, movement, order)) &&
    (movement === 'take' || (await claimOpenHold(transaction, order, maxOpenHolds))) &&
    (await movePoints(transaction, movement, order)) &&
    (await changeStock(transaction, movement, order));
  if (!taken) throw new HoldRefused(`order ${order.orderId} cannot have all that it needs`);
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
    (await changeStock(transaction, movement, order));
  if (!changed) throw new Error(`order ${order.orderId} does not hold what it should ${movement}`);
}

/**
 * Gives back what a completed order has used: points and coupons to the payer (`restorePoints`), goods to stock
 * (`restock`). The caller holds the order's lock and does each once.
 */
export async function returnHold(
  transaction: Transaction,
  order: OrderRow,
  { restorePoints, restock }: { restorePoints: boolean; restock: boolean },
): Promise<void> {
  const returned =
    (!restorePoints || (await changeCoupons(transaction, 'return', order))) &&
    (!restorePoints || (await movePoints(transaction, 'return', order))) &&
    (!restock || (await changeStock(transaction, 'return', order)));
  if (!returned) throw new Error(`order ${order.orderId} has not used what it should give back`);
}
