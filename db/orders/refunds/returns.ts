import type { Transaction } from '../../database.ts';
import { movePoints } from '../ledger.ts';
import type { OrderRow } from '../orders.ts';

/**
 * Gives back what a completed order has used: points and coupons to the payer (`restorePoints`), goods to stock
 * (`restock`), locking in the order in which holds are taken. The caller holds the order's lock and does each once.
 */
export async function returnHolds(
  transaction: Transaction,
  order: OrderRow,
  { restorePoints, restock }: { restorePoints: boolean; restock: boolean },
): Promise<void> {
  if (restorePoints) {
    await transaction.raw(
      `update coupon set status = 'available', order_id = null where status = 'used' and order_id = :orderId`,
      { orderId: order.orderId },
    );
  }
  if (restorePoints && !(await movePoints(transaction, 'return', order)))
    throw new Error(`order ${order.orderId} has not committed the points it should give back`);
  if (restock) {
    await transaction.raw(
      `with wanted as (
         select l ->> 'goodsId' as goods_id, sum((l ->> 'qty')::bigint) as qty
         from jsonb_array_elements(cast(:lines as jsonb)) l group by 1),
       locked as (
         select g.goods_id, w.qty from goods g join wanted w using (goods_id) order by g.goods_id for no key update of g)
       update goods g set stock = g.stock + l.qty from locked l where g.goods_id = l.goods_id`,
      { lines: JSON.stringify(order.lines) },
    );
  }
}
