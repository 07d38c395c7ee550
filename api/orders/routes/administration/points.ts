import type { Database } from '#db/database.ts';
import { findBalances } from '#db/orders/ledger.ts';
import { adjustPoints, type GiftRejection, grantPoints } from '#db/orders/points/grants.ts';
import { listAccounts, listEntries } from '#db/orders/points/lists.ts';
import { withOrderTitles } from '#db/orders/order-titles.ts';
import { mapPage } from '#domain/cursor.ts';
import { OrderError } from '#domain/orders/codes.ts';
import { pointsOperations } from '#domain/orders/operations/points.ts';
import type { ServeOrders } from '#api/orders/order-api.ts';
import { pageRequest } from '../page-request.ts';
import { requireTenantAccess } from '#api/orders/tenants.ts';
import { authorOf, reachedTenant, requireReachedTenant } from './access.ts';

/** @throws OrderError 90205, 90300 */
function requireGiven(rejected: GiftRejection | null): void {
  if (rejected !== null) throw new OrderError(rejected === 'key_used' ? 90205 : 90300);
}

/** Points of users. */
export function pointsRoutes(serve: ServeOrders, { database }: { database: Database }): void {
  serve(pointsOperations.grantPoints, {
    handle: async ({ actor: payer, body }) => {
      await requireReachedTenant(database, payer, body.tenantId);
      requireGiven(await grantPoints(database, body, authorOf(payer)));
      return findBalances(database, body);
    },
  });

  serve(pointsOperations.adjustPoints, {
    handle: async ({ actor: payer, body }) => {
      await requireReachedTenant(database, payer, body.tenantId);
      requireGiven(await adjustPoints(database, body, authorOf(payer)));
      return findBalances(database, body);
    },
  });

  serve(pointsOperations.getPoints, {
    handle: async ({ actor: payer, query }) => {
      await requireTenantAccess(database, payer, query.tenantId);
      return findBalances(database, query);
    },
  });

  serve(pointsOperations.listPointAccounts, {
    handle: async ({ actor: payer, query }) => {
      const tenantId = await reachedTenant(database, payer, query.tenantId);
      return listAccounts(database, { tenantId, q: query.q?.trim() }, pageRequest(query));
    },
  });

  serve(pointsOperations.listPointEntries, {
    handle: async ({ actor: payer, query }) => {
      await requireTenantAccess(database, payer, query.tenantId);
      const { tenantId, userId, kind } = query;
      const found = await listEntries(database, { tenantId, userId, kind }, pageRequest(query));
      const page = await withOrderTitles(database, found);
      return mapPage(page, ({ movement, movementKind, amount, orderId, orderTitle, at, ...entry }) => ({
        movement,
        movementKind,
        kind: entry.kind,
        amount,
        orderId,
        orderTitle,
        actor: entry.actor,
        reason: entry.reason,
        at: at.toISOString(),
      }));
    },
  });
}
