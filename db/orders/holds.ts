import type { OrderErrorCode } from '../../domain/orders/codes.ts';
import { rows, type Transaction } from '../database.ts';
import { enoughPoints, movePoints } from './ledger.ts';
import type { OrderRow } from './orders.ts';

/**
 * What an order takes while it is being paid: coupons, stock and points, all in one transaction. Everyone who takes
 * or gives back locks in this order, and by id within it, so that they cannot deadlock.
 */

/** The quantity of each item of goods that an order takes, over all its lines. */
function quantities(order: OrderRow): { goodsIds: string[]; amounts: number[] } {
  const wanted = new Map<string, number>();
  for (const { goodsId, qty } of order.lines) wanted.set(goodsId, (wanted.get(goodsId) ?? 0) + qty);
  return { goodsIds: [...wanted.keys()], amounts: [...wanted.values()] };
}

async function couponsUsable(transaction: Transaction, order: OrderRow): Promise<boolean> {
  if (order.couponIds.length === 0) return true;
  const found = await rows<{ usable: boolean }>(
    transaction,
    `select status = 'available' and tenant_id = :tenantId and user_id = :userId as usable
     from coupon where coupon_id = any(:couponIds) order by coupon_id for update`,
    { couponIds: order.couponIds, tenantId: order.tenantId, userId: order.userId },
  );
  return found.length === order.couponIds.length && found.every(({ usable }) => usable);
}

async function stockEnough(transaction: Transaction, order: OrderRow): Promise<boolean> {
  const { goodsIds, amounts } = quantities(order);
  if (goodsIds.length === 0) return true;
  const found = await rows<{ goodsId: string; free: number | null }>(
    transaction,
    `select goods_id, stock - held as free from goods where goods_id = any(:goodsIds)
     order by goods_id for update`,
    { goodsIds },
  );
  const free = new Map(found.map((row) => [row.goodsId, row.free]));
  return goodsIds.every((goodsId, index) => (free.get(goodsId) ?? Infinity) >= (amounts[index] ?? 0));
}

/**
 * Locks what the order needs and returns the code of the first thing that is missing, or null. Nothing is taken yet.
 */
export async function missingHold(transaction: Transaction, order: OrderRow): Promise<OrderErrorCode | null> {
  if (!(await couponsUsable(transaction, order))) return 90201;
  if (!(await stockEnough(transaction, order))) return 90039;
  return (await enoughPoints(transaction, order)) ? null : 90300;
}

const couponChange = {
  reserve: `status = 'reserved', order_id = :orderId where status = 'available'`,
  commit: `status = 'used' where status = 'reserved' and order_id = :orderId`,
  release: `status = 'available', order_id = null where status = 'reserved' and order_id = :orderId`,
};

const stockChange = {
  reserve: 'held = g.held + w.qty',
  // Stock that has been corrected downwards in the meantime does not fall below zero.
  commit: 'held = g.held - w.qty, stock = greatest(g.stock - w.qty, 0)',
  release: 'held = g.held - w.qty',
};

/**
 * Takes, commits or gives back everything an order holds. The caller makes sure that each happens once per attempt.
 */
export async function changeHold(
  transaction: Transaction,
  movement: 'reserve' | 'commit' | 'release',
  order: OrderRow,
): Promise<void> {
  if (order.couponIds.length > 0) {
    await transaction.raw(`select 1 from coupon where coupon_id = any(:couponIds) order by coupon_id for update`, {
      couponIds: order.couponIds,
    });
    await transaction.raw(`update coupon set ${couponChange[movement]} and coupon_id = any(:couponIds)`, {
      couponIds: order.couponIds,
      orderId: order.orderId,
    });
  }
  const { goodsIds, amounts } = quantities(order);
  if (goodsIds.length > 0) {
    await transaction.raw(`select 1 from goods where goods_id = any(:goodsIds) order by goods_id for update`, {
      goodsIds,
    });
    await transaction.raw(
      `update goods g set ${stockChange[movement]}
       from unnest(cast(:goodsIds as text[]), cast(:amounts as bigint[])) as w (goods_id, qty)
       where g.goods_id = w.goods_id`,
      { goodsIds, amounts },
    );
  }
  await movePoints(transaction, movement, order);
}
