import type { Database } from '#db/database.ts';
import { listCoupons } from '#db/orders/catalogue/coupons.ts';
import { findBalances } from '#db/orders/ledger.ts';
import { payerOperations } from '#domain/orders/operations/payer.ts';
import type { ServeOrders } from '../order-api.ts';
import { namedPayer } from '../named-payer.ts';
import { pageRequest } from './page-request.ts';
import { requireTenantAccess } from '../tenants.ts';

/** What payers own at a tenant that they may create orders at. */
export function ownRoutes(serve: ServeOrders, { database }: { database: Database }): void {
  serve(payerOperations.getOwnPoints, {
    handle: async ({ actor: payer, body }) => {
      await requireTenantAccess(database, payer, body.tenantId);
      return findBalances(database, { tenantId: body.tenantId, userId: namedPayer(payer, body).userId });
    },
  });

  serve(payerOperations.listOwnCoupons, {
    handle: async ({ actor: payer, body }) => {
      await requireTenantAccess(database, payer, body.tenantId);
      const own = { tenantId: body.tenantId, userId: namedPayer(payer, body).userId, status: 'available' } as const;
      return listCoupons(database, own, pageRequest(body));
    },
  });
}
