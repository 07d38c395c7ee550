import type { Database } from '#db/database.ts';
import { findCoupon, listCoupons, putCoupon } from '#db/orders/catalogue/coupons.ts';
import { changeTenant, putTenant, readTenant } from '#db/orders/catalogue/tenants.ts';
import { withOrderTitles } from '#db/orders/order-titles.ts';
import { OrderError } from '#domain/orders/codes.ts';
import { catalogueOperations } from '#domain/orders/operations/catalogue.ts';
import type { ServeOrders } from '#api/orders/order-api.ts';
import { pageRequest } from '../page-request.ts';
import { authorOf, preconditionOf, reachedTenant, requireOwned, requireOwnership, requireOwnTenant } from './access.ts';
import { goodsRoutes } from './goods.ts';

const ONLY_ADMINISTRATORS = 'Only a tenant administrator changes which refunds need an approval, and whose';

/** @throws OrderError 90200 where there is no such tenant */
function shown<Fields>(tenantId: string, fields: Fields | null): { tenantId: string } & Fields {
  if (!fields) throw new OrderError(90200, { message: 'There is no such tenant' });
  return { tenantId, ...fields };
}

/** Tenants, goods and coupons. */
export function catalogueRoutes(serve: ServeOrders, { database }: { database: Database }): void {
  serve(catalogueOperations.putTenant, {
    handle: async ({ actor: payer, params, headers, body }) => {
      requireOwnTenant(payer, params.id);
      const by = { tenantId: params.id, author: authorOf(payer), isTenantAdmin: payer.roles.includes('tenant_admin') };
      const tenant = await putTenant(database, by, body, preconditionOf(headers));
      if (tenant === 'stale') throw new OrderError(90209);
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
    handle: async ({ actor: payer, params, headers, body }) => {
      requireOwnTenant(payer, params.id);
      if (!payer.roles.includes('tenant_admin')) throw new OrderError(90003, { message: ONLY_ADMINISTRATORS });
      const by = { tenantId: params.id, author: authorOf(payer) };
      const changed = await changeTenant(database, by, body, preconditionOf(headers));
      if (changed === 'stale') throw new OrderError(90209);
      return shown(params.id, changed);
    },
  });

  goodsRoutes(serve, { database });

  serve(catalogueOperations.putCoupon, {
    handle: async ({ actor: payer, params, headers, body }) => {
      const owned = await requireOwnership(database, payer, {
        table: 'coupon',
        id: params.id,
        tenantId: body.tenantId,
      });
      const put = await putCoupon(database, owned, body, preconditionOf(headers));
      if ('stored' in put) return put.stored;
      if (put.rejected === 'foreign') throw new OrderError(90003);
      if (put.rejected === 'stale') throw new OrderError(90209);
      throw new OrderError(90202, { message: 'An order holds or has used the coupon' });
    },
  });

  serve(catalogueOperations.getCoupon, {
    handle: async ({ actor: payer, params }) => {
      await requireOwned(database, payer, { table: 'coupon', id: params.id });
      const coupon = await findCoupon(database, params.id);
      if (!coupon) throw new OrderError(90201);
      return coupon;
    },
  });

  serve(catalogueOperations.listCoupons, {
    handle: async ({ actor: payer, query }) => {
      const tenantId = await reachedTenant(database, payer, query.tenantId);
      return withOrderTitles(database, await listCoupons(database, { ...query, tenantId }, pageRequest(query)));
    },
  });
}
