import type { Transaction } from '../../database.ts';
import { movePoints } from '../ledger.ts';
import type { OrderRow } from '../orders.ts';

/**
 * Gives back what a completed order has used: points and coupons to the payer (`restorePoints`), goods to stock
 * (`restock`). The caller holds the order's lock and does each once.
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
  if (restock) {
    await transaction.raw(
      `update goods g set stock = g.stock + w.qty
       from (select l ->> 'goodsId' as goods_id, sum((l ->> 'qty')::bigint) as qty
             from jsonb_array_elements(cast(:lines as jsonb)) l group by 1 order by 1) w
       where g.goods_id = w.goods_id`,
      { lines: JSON.stringify(order.lines) },
    );
  }
  if (restorePoints) await movePoints(transaction, 'return', order);
}
