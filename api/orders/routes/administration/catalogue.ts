import type { Database } from '#db/database.ts';
import { listCoupons, putCoupon } from '#db/orders/catalogue/coupons.ts';
import { changeTenant, putTenant, readTenant } from '#db/orders/catalogue/tenants.ts';
import { OrderError } from '#domain/orders/codes.ts';
import { catalogueOperations } from '#domain/orders/operations/catalogue.ts';
import type { ServeOrders } from '#api/orders/order-api.ts';
import { pageRequest } from '../page-request.ts';
import { authorOf, reachedTenant, requireOwnership, requireOwnTenant } from './access.ts';
import { goodsRoutes } from './goods.ts';

const ONLY_ADMINISTRATORS = 'Only a tenant administrator changes which refunds need an approval, and whose';

/** @throws OrderError 90201 where there is no such tenant */
function shown<Fields>(tenantId: string, fields: Fields | null): { tenantId: string } & Fields {
  if (!fields) throw new OrderError(90201);
  return { tenantId, ...fields };
}

/** Tenants, goods and coupons. */
export function catalogueRoutes(serve: ServeOrders, { database }: { database: Database }): void {
  serve(catalogueOperations.putTenant, {
    handle: async ({ actor: payer, params, body }) => {
      requireOwnTenant(payer, params.id);
      const by = { tenantId: params.id, author: authorOf(payer), isTenantAdmin: payer.roles.includes('tenant_admin') };
      const tenant = await putTenant(database, by, body);
      if (tenant === 'needs_tenant_admin') throw new OrderError(90003, { message: ONLY_ADMINISTRATORS });
      if (tenant === 'foreign_shop') throw new OrderError(90003, { message: 'The shop belongs to another tenant' });
      return { tenantId: params.id, ...tenant };
    },
  });

  serve(catalogueOperations.getTenant, {
    handle: async ({ actor: payer, params }) => {
      requireOwnTenant(payer, params.id);
      return shown(params.id, await readTenant(database, params.id));
    },
  });

  serve(catalogueOperations.changeTenant, {
    handle: async ({ actor: payer, params, body }) => {
      requireOwnTenant(payer, params.id);
      if (!payer.roles.includes('tenant_admin')) throw new OrderError(90003, { message: ONLY_ADMINISTRATORS });
      return shown(params.id, await changeTenant(database, { tenantId: params.id, author: authorOf(payer) }, body));
    },
  });

  goodsRoutes(serve, { database });

  serve(catalogueOperations.putCoupon, {
    handle: async ({ actor: payer, params, body }) => {
      const owned = await requireOwnership(database, payer, {
        table: 'coupon',
        id: params.id,
        tenantId: body.tenantId,
      });
      const put = await putCoupon(database, owned, body);
      if ('stored' in put) return put.stored;
      if (put.rejected === 'foreign') throw new OrderError(90003);
      throw new OrderError(90202, { message: 'An order holds or has used the coupon' });
    },
  });

  serve(catalogueOperations.listCoupons, {
    handle: async ({ actor: payer, query }) => {
      const tenantId = await reachedTenant(database, payer, query.tenantId);
      return listCoupons(database, { ...query, tenantId }, pageRequest(query));
    },
  });
}
