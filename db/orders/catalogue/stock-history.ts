import { z } from 'zod';
import type { Page } from '#domain/api/primitives.ts';
import { decodeCursor, pageOf, type PageRequest } from '#domain/cursor.ts';
import type { Database, Transaction } from '#db/database.ts';
import { StockChange } from '../models/catalogue.ts';

/** Records what staff did to the stock of goods, in the transaction of that write. */
export async function recordStockChange(
  transaction: Transaction,
  change: Pick<StockChange, 'goodsId' | 'actor' | 'delta' | 'stock'> & Partial<Pick<StockChange, 'reason' | 'key'>>,
): Promise<void> {
  await StockChange.query(transaction).insert(change);
}

/** SQL that records what an order changed of stocks that are limited: `source` has goods_id, order_id, delta and the stock afterwards. */
export const recordingStockOf = (source: string): string =>
  `insert into stock_change (goods_id, order_id, delta, stock)
   select goods_id, order_id, delta, stock from ${source} where stock is not null and delta <> 0`;

/** What changed the stock of goods, newest first. @throws Problem for a foreign cursor */
export async function listStockChanges(
  database: Database,
  goodsId: string,
  { cursor, limit }: PageRequest,
): Promise<Page<StockChange>> {
  const [before] = decodeCursor(z.tuple([z.int()]), cursor) ?? [];
  const found = await StockChange.query(database)
    .where({ goodsId })
    .where((change) => before !== undefined && change.where('changeId', '<', before))
    .orderBy('changeId', 'desc')
    .limit(limit + 1);
  return pageOf(found, limit, ({ changeId }) => [changeId]);
}
