import type { Database } from '#db/database.ts';
import { findGoodsData, listGoods, putGoods } from '#db/orders/catalogue/goods.ts';
import { listStockChanges } from '#db/orders/catalogue/stock-history.ts';
import { changeStock, type StockRejection } from '#db/orders/catalogue/stock.ts';
import { withOrderTitles } from '#db/orders/order-titles.ts';
import { mapPage } from '#domain/cursor.ts';
import { MAX_POINTS } from '#domain/orders/money.ts';
import { OrderError } from '#domain/orders/codes.ts';
import { catalogueOperations } from '#domain/orders/operations/catalogue.ts';
import type { ServeOrders } from '#api/orders/order-api.ts';
import { pageRequest } from '../page-request.ts';
import { preconditionOf, reachedTenant, requireOwned, requireOwnership } from './access.ts';

const belowHeld = 'Less would be left than payments in progress hold';

/** The response to a write of goods or their stock that was not made. */
function stockError(rejected: StockRejection | 'foreign' | 'stale'): OrderError {
  const malformed = (message: string) => new OrderError(90001, { errors: [{ path: '/delta', message }] });
  switch (rejected) {
    case 'unknown':
      return new OrderError(90201);
    case 'foreign':
      return new OrderError(90003);
    case 'stale':
      return new OrderError(90209);
    case 'key_used':
      return new OrderError(90205);
    case 'below_held':
      return new OrderError(90039, { message: belowHeld });
    case 'unlimited':
      return malformed('cannot change unlimited stock');
    case 'too_much':
      return malformed(`must leave at most ${MAX_POINTS} in stock`);
  }
}

/** Goods and their stock. */
export function goodsRoutes(serve: ServeOrders, { database }: { database: Database }): void {
  serve(catalogueOperations.putGoods, {
    handle: async ({ actor: payer, params, headers, body }) => {
      const owned = await requireOwnership(database, payer, { table: 'goods', id: params.id, tenantId: body.tenantId });
      const put = await putGoods(database, owned, body, preconditionOf(headers));
      if ('stored' in put) return put.stored;
      throw stockError(put.rejected);
    },
  });

  serve(catalogueOperations.listGoods, {
    handle: async ({ actor: payer, query }) => {
      const tenantId = await reachedTenant(database, payer, query.tenantId);
      return listGoods(database, { tenantId, q: query.q?.trim() }, pageRequest(query));
    },
  });

  serve(catalogueOperations.getGoods, {
    handle: async ({ actor: payer, params }) => {
      await requireOwned(database, payer, { table: 'goods', id: params.id });
      const goods = await findGoodsData(database, params.id);
      if (!goods) throw new OrderError(90201);
      return goods;
    },
  });

  serve(catalogueOperations.changeStock, {
    handle: async ({ actor: payer, params, body }) => {
      const owned = await requireOwned(database, payer, { table: 'goods', id: params.id });
      const put = await changeStock(database, owned, body);
      if ('stored' in put) return put.stored;
      throw stockError(put.rejected);
    },
  });

  serve(catalogueOperations.listStockChanges, {
    handle: async ({ actor: payer, params, query }) => {
      await requireOwned(database, payer, { table: 'goods', id: params.id });
      const page = await withOrderTitles(database, await listStockChanges(database, params.id, pageRequest(query)));
      return mapPage(page, ({ at, actor, delta, reason, stock, orderId, orderTitle }) => {
        return { at: at.toISOString(), actor, delta, reason, stock, orderId, orderTitle };
      });
    },
  });
}
