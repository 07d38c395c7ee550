import type { Database } from '#db/database.ts';
import { listAudit } from '#db/orders/audit.ts';
import { mapPage } from '#domain/cursor.ts';
import { auditOperations } from '#domain/orders/operations/audit.ts';
import type { ServeOrders } from '#api/orders/order-api.ts';
import { pageRequest } from '../page-request.ts';
import { reachedTenant } from './access.ts';

/** Who changed what. */
export function auditRoutes(serve: ServeOrders, { database }: { database: Database }): void {
  serve(auditOperations.listAudit, {
    handle: async ({ actor: payer, query }) => {
      const tenantId = await reachedTenant(database, payer, query.tenantId);
      const page = await listAudit(database, { tenantId, actor: query.actor }, pageRequest(query));
      return mapPage(page, ({ entryId, at, actor, action, subjectType, subjectId, ...entry }) => ({
        entryId,
        at: at.toISOString(),
        actor,
        action,
        subject: { type: subjectType, id: subjectId },
        before: entry.before,
        after: entry.after,
        requestId: entry.requestId,
        callerRequestId: entry.callerRequestId,
      }));
    },
  });
}
