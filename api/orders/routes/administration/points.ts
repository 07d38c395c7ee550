import type { Database } from '../../../../db/database.ts';
import { findBalances, grantPoints } from '../../../../db/orders/ledger.ts';
import { OrderError } from '../../../../domain/orders/codes.ts';
import { pointsOperations } from '../../../../domain/orders/operations/points.ts';
import type { ServeOrders } from '../../order-api.ts';
import { requireReach } from '../../tenants.ts';
import { requireTenant } from './access.ts';

/** Points of users. */
export function pointsRoutes(serve: ServeOrders, { database }: { database: Database }): void {
  serve(pointsOperations.grantPoints, {
    handle: async ({ actor: payer, body }) => {
      await requireReach(database, payer, body.tenantId);
      await requireTenant(database, body.tenantId);
      if (!(await grantPoints(database, body)))
        throw new OrderError(90001, { errors: [{ path: '/key', message: 'was used for another grant' }] });
      return findBalances(database, body);
    },
  });

  serve(pointsOperations.getPoints, {
    handle: async ({ actor: payer, query }) => {
      await requireReach(database, payer, query.tenantId);
      return findBalances(database, query);
    },
  });
}
