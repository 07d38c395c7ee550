import { fn } from 'objection';
import { z } from 'zod';
import type { Page } from '#domain/api/primitives.ts';
import { decodeCursor, keyText, mapPage, pageOf, type PageRequest } from '#domain/cursor.ts';
import type { PutGoods } from '#domain/orders/administration.ts';
import type { GoodsData } from '#domain/orders/administration/catalogue.ts';
import { versioned } from '#domain/orders/administration/versions.ts';
import { fromMinor, toMinor } from '#domain/orders/money.ts';
import type { Goods as PricedGoods } from '#domain/orders/pricing.ts';
import { type Database, rows, type Transaction } from '#db/database.ts';
import { containing } from '#db/text-search.ts';
import { recordAudit } from '../audit.ts';
import { Goods, nextVersion } from '../models/catalogue.ts';
import { lockName, transact } from '../transaction.ts';
import type { Owned, Precondition, Put } from './owned.ts';
import { recordStockChange } from './stock-history.ts';

/** Goods as stored, with their id and held stock. */
const fieldsOf = (goods: Goods) => ({
  goodsId: goods.goodsId,
  tenantId: goods.tenantId,
  name: goods.name,
  pricingType: goods.pricingType,
  stock: goods.stock,
  held: goods.held,
  paymentOptions: goods.paymentOptions.map(({ cashMinor, ...option }) => ({
    ...option,
    cashAmount: fromMinor(cashMinor),
  })),
  updatedAt: goods.updatedAt.toISOString(),
});

export const asData = (goods: Goods): GoodsData => ({ ...fieldsOf(goods), ...versioned(goods) });

export const lockGoods = (transaction: Transaction, goodsId: string) =>
  Goods.query(transaction).findById(goodsId).forUpdate();

/** Stores everything but the stock of goods that exist. @returns the row as it is then */
async function store(transaction: Transaction, goodsId: string, goods: PutGoods, stock: number | null) {
  await Goods.query(transaction)
    .insert({
      goodsId,
      tenantId: goods.tenantId,
      name: goods.name,
      pricingType: goods.pricingType,
      stock,
      paymentOptions: goods.paymentOptions.map(({ cashAmount, ...option }) => ({
        ...option,
        cashMinor: toMinor(cashAmount),
      })),
      updatedAt: fn.now(),
      version: nextVersion,
    })
    .onConflict('goodsId')
    .merge();
  return Goods.query(transaction).findById(goodsId).throwIfNotFound();
}

/**
 * Creates or replaces goods. Without `stock` it stays as it is, so that a new price does not undo the sales meanwhile;
 * held stock stays held.
 */
export async function putGoods(
  database: Database,
  { id: goodsId, author, owners }: Owned,
  goods: PutGoods,
  precondition: Precondition,
): Promise<Put<GoodsData, 'below_held'>> {
  return transact(database, async (transaction) => {
    await lockName(transaction, ['goods', goodsId]);
    const before = await lockGoods(transaction, goodsId);
    if (before && !owners.includes(before.tenantId)) return { rejected: 'foreign' };
    const stock = goods.stock === undefined ? (before?.stock ?? null) : goods.stock;
    if (stock !== null && stock < (before?.held ?? 0)) return { rejected: 'below_held' };
    if (!precondition(before?.version ?? null)) return { rejected: 'stale' };
    const after = await store(transaction, goodsId, goods, stock);
    const was = before ? before.stock : 0;
    if (was !== stock && (before || stock !== null))
      await recordStockChange(transaction, {
        goodsId,
        actor: author.userId,
        delta: was === null || stock === null ? null : stock - was,
        stock,
      });
    await recordAudit(transaction, {
      tenantId: after.tenantId,
      author,
      action: 'goods.put',
      subject: { type: 'goods', id: goodsId },
      before: before ? { ...fieldsOf(before) } : null,
      after: { ...fieldsOf(after) },
    });
    return { stored: asData(after) };
  });
}

export async function findGoodsData(database: Database, goodsId: string): Promise<GoodsData | null> {
  const found = await Goods.query(database).findById(goodsId);
  return found ? asData(found) : null;
}

/** The goods with these ids, their tenants' currency and their currently available stock; unknown ids are absent. */
export async function findGoods(database: Database, goodsIds: string[]): Promise<Map<string, PricedGoods>> {
  if (goodsIds.length === 0) return new Map();
  const found = await rows<PricedGoods>(
    database,
    `select g.goods_id, g.tenant_id, g.name, g.pricing_type, g.payment_options, t.currency, g.stock - g.held as free
     from goods g join tenant t using (tenant_id) where g.goods_id = any(:goodsIds)`,
    { goodsIds },
  );
  return new Map(found.map((row) => [row.goodsId, row]));
}

/** Goods of a tenant by id; `q` is part of an id or a name. @throws Problem for a foreign cursor */
export async function listGoods(
  database: Database,
  { tenantId, q }: { tenantId: string; q: string | undefined },
  { cursor, limit }: PageRequest,
): Promise<Page<GoodsData>> {
  const [after] = decodeCursor(z.tuple([keyText]), cursor) ?? [];
  const found = await Goods.query(database)
    .where({ tenantId })
    .where((goods) => after !== undefined && goods.where('goodsId', '>', after))
    .where((goods) => q && goods.where('goodsId', 'ilike', containing(q)).orWhere('name', 'ilike', containing(q)))
    .orderBy('goodsId')
    .limit(limit + 1);
  return mapPage(
    pageOf(found, limit, ({ goodsId }) => [goodsId]),
    asData,
  );
}
