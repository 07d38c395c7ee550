import { recordAudit } from '#db/orders/audit.ts';
import type { Database } from '#db/database.ts';
import { findDispute, type NotedDispute } from '#db/orders/disputes/find.ts';
import { listDisputes } from '#db/orders/disputes/list.ts';
import { addDisputeNote } from '#db/orders/disputes/notes.ts';
import { withOrderTitles } from '#db/orders/order-titles.ts';
import { mapPage } from '#domain/cursor.ts';
import { OrderError } from '#domain/orders/codes.ts';
import { disputeOperations } from '#domain/orders/operations/disputes.ts';
import type { ServeOrders } from '#api/orders/order-api.ts';
import { presentDispute } from '#api/orders/present/dispute.ts';
import type { Payer } from '#api/orders/session.ts';
import { canAccessTenant, reachOf, requireTenantAccess } from '#api/orders/tenants.ts';
import { pageRequest } from '../page-request.ts';
import { authorOf } from './access.ts';

/** @throws OrderError 90200 if there is no such dispute in reach. */
async function reachedDispute(database: Database, payer: Payer, disputeId: string): Promise<NotedDispute> {
  const dispute = await findDispute(database, disputeId);
  if (!dispute || !(await canAccessTenant(database, payer, dispute.tenantId))) throw new OrderError(90200);
  return dispute;
}

/** Disputes of charges, and what staff note about them. */
export function disputeRoutes(serve: ServeOrders, { database }: { database: Database }): void {
  serve(disputeOperations.listDisputes, {
    handle: async ({ actor: payer, query: { tenantId, status, ...page } }) => {
      if (tenantId !== undefined) await requireTenantAccess(database, payer, tenantId);
      const search = { ...reachOf(payer), tenantId, status };
      return withOrderTitles(
        database,
        mapPage(await listDisputes(database, search, pageRequest(page)), presentDispute),
      );
    },
  });

  serve(disputeOperations.noteDispute, {
    handle: async ({ actor: payer, params: { id: disputeId }, body }) => {
      const { tenantId } = await reachedDispute(database, payer, disputeId);
      const note = { disputeId, author: payer.userId, authorName: payer.name, body: body.text };
      await addDisputeNote(database, note, (transaction) =>
        recordAudit(transaction, {
          tenantId,
          author: authorOf(payer),
          action: 'dispute.note',
          subject: { type: 'dispute', id: disputeId },
          before: null,
          after: { note: body.text },
        }),
      );
      return presentDispute(await reachedDispute(database, payer, disputeId));
    },
  });
}
