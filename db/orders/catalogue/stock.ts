import { fn } from 'objection';
import type { ChangeStock, GoodsData } from '#domain/orders/administration/catalogue.ts';
import { MAX_POINTS } from '#domain/orders/money.ts';
import type { Database, Transaction } from '#db/database.ts';
import { recordAudit } from '../audit.ts';
import { Goods, nextVersion, StockChange } from '../models/catalogue.ts';
import { transact } from '../transaction.ts';
import { asData, lockGoods } from './goods.ts';
import type { Owned, Put } from './owned.ts';
import { recordStockChange } from './stock-history.ts';

export type StockRejection = 'unknown' | 'key_used' | 'unlimited' | 'below_held' | 'too_much';

/** The new stock, or why it cannot be changed like this. */
function changed({ stock, held }: Goods, { delta }: ChangeStock): StockRejection | number {
  if (stock === null) return 'unlimited';
  if (stock + delta < held) return 'below_held';
  return stock + delta > MAX_POINTS ? 'too_much' : stock + delta;
}

const setStock = (transaction: Transaction, goodsId: string, stock: number) =>
  Goods.query(transaction).patchAndFetchById(goodsId, { stock, updatedAt: fn.now(), version: nextVersion });

/** Adds to the stock, or removes stock that is not held; once per key. @returns the updated goods */
export async function changeStock(
  database: Database,
  { id: goodsId, author, owners }: Owned,
  change: ChangeStock,
): Promise<Put<GoodsData, StockRejection>> {
  return transact(database, async (transaction) => {
    const goods = await lockGoods(transaction, goodsId);
    if (!goods) return { rejected: 'unknown' };
    if (!owners.includes(goods.tenantId)) return { rejected: 'foreign' };
    const { delta, reason, key } = change;
    const done = await StockChange.query(transaction).findOne({ goodsId, key });
    if (done)
      return done.delta === delta && done.reason === reason ? { stored: asData(goods) } : { rejected: 'key_used' };
    const stock = changed(goods, change);
    if (typeof stock !== 'number') return { rejected: stock };
    const after = await setStock(transaction, goodsId, stock);
    await recordStockChange(transaction, { goodsId, actor: author.userId, delta, reason, stock, key });
    await recordAudit(transaction, {
      tenantId: goods.tenantId,
      author,
      action: 'goods.stock',
      subject: { type: 'goods', id: goodsId },
      before: { stock: goods.stock },
      after: { stock, delta, reason },
    });
    return { stored: asData(after) };
  });
}
