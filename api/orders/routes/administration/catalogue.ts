import type { Database } from '../../../../db/database.ts';
import { findGoods, putCoupon, putGoods, putTenant } from '../../../../db/orders/catalogue.ts';
import type { GoodsData } from '../../../../domain/orders/catalogue.ts';
import { OrderError } from '../../../../domain/orders/codes.ts';
import { fromMinor } from '../../../../domain/orders/money.ts';
import { catalogueOperations } from '../../../../domain/orders/operations/catalogue.ts';
import type { ServeOrders } from '../../order-api.ts';
import { requireOwnership, requireTenantReach } from './access.ts';

async function presentGoods(database: Database, goodsId: string): Promise<GoodsData> {
  const goods = (await findGoods(database, [goodsId])).get(goodsId);
  if (!goods) throw new OrderError(90201);
  return {
    goodsId,
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
  };
}

/** Tenants, goods and coupons. */
export function catalogueRoutes(serve: ServeOrders, { database }: { database: Database }): void {
  serve(catalogueOperations.putTenant, {
    handle: async ({ actor: payer, params, body }) => {
      await requireTenantReach(database, payer, params.id, body);
      await putTenant(database, params.id, body);
      return { tenantId: params.id, ...body };
    },
  });

  serve(catalogueOperations.putGoods, {
    handle: async ({ actor: payer, params, body }) => {
      await requireOwnership(database, payer, { table: 'goods', id: params.id, tenantId: body.tenantId });
      await putGoods(database, params.id, body);
      return presentGoods(database, params.id);
    },
  });

  serve(catalogueOperations.putCoupon, {
    handle: async ({ actor: payer, params, body }) => {
      await requireOwnership(database, payer, { table: 'coupon', id: params.id, tenantId: body.tenantId });
      const { couponId, tenantId, userId, name, status, orderId } = await putCoupon(database, params.id, body);
      return { couponId, tenantId, userId, name, status, orderId };
    },
  });
}
