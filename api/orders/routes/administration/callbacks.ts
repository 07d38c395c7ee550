import { z } from 'zod';
import type { Database } from '#db/database.ts';
import { approvalsOfCallbacks } from '#db/orders/approvals/approvals.ts';
import { findCallback, resolveCallback, unmatchedCallbacks } from '#db/orders/events/unmatched.ts';
import type { GatewayEvent } from '#db/orders/models/events.ts';
import { OrderError } from '#domain/orders/codes.ts';
import { encodeCursor } from '#domain/cursor.ts';
import { callbackOperations } from '#domain/orders/operations/callbacks.ts';
import { decodeListCursor } from '#api/orders/order-cursor.ts';
import type { CallbackEvent } from '#domain/orders/responses.ts';
import type { ServeOrders } from '#api/orders/order-api.ts';
import { presentCallback } from '#api/orders/present/staff.ts';
import { authorOf } from './access.ts';
import { auditDecision } from './approvals.ts';
import type { StartRefund } from '#api/orders/start-refund.ts';

const PAGE = 50;
const positionSchema = z.tuple([z.int().min(0), z.string().max(2000)]);

/** With what waits for each. */
async function withApprovals(database: Database, callbacks: GatewayEvent[]): Promise<CallbackEvent[]> {
  const approvals = await approvalsOfCallbacks(
    database,
    callbacks.map(({ eventId }) => eventId),
  );
  return callbacks.map((callback) => presentCallback(callback, approvals.get(callback.eventId)));
}

/** Callbacks that staff must look at. */
export function callbackStaffRoutes(
  serve: ServeOrders,
  { database, startRefund }: { database: Database; startRefund: StartRefund },
): void {
  serve(callbackOperations.listUnmatchedCallbacks, {
    handle: async ({ actor: payer, query }) => {
      const position = decodeListCursor(positionSchema, query.cursor);
      const { items, next } = await unmatchedCallbacks(database, payer.tenantId, {
        cursor: position && { receivedMicros: position[0], eventId: position[1] },
        limit: query.limit ?? PAGE,
      });
      return {
        items: await withApprovals(database, items),
        nextCursor: next && encodeCursor([next.receivedMicros, next.eventId]),
      };
    },
  });

  serve(callbackOperations.resolveCallback, {
    handle: async ({ actor: payer, params, body }) => {
      const key = { staffTenantId: payer.tenantId, eventId: params.id };
      const callback = await findCallback(database, key);
      if (!callback) throw new OrderError(90200);
      const { tenantId, chargeId, status } = callback;
      const decided = await resolveCallback(database, { callback, body, by: payer }, (transaction, approval) =>
        auditDecision(transaction, approval, {
          tenantId,
          author: authorOf(payer),
          action: 'callback.resolve',
          subject: { type: 'callback', id: params.id },
          before: { status, chargeId },
          after: { ...body },
        }),
      );
      if (decided === 'rejected') throw new OrderError(90202);
      if (decided === 'decided' && body.outcome === 'refund')
        await startRefund({ refundId: chargeId, orderId: null, tenantId });
      const [shown] = await withApprovals(database, [(await findCallback(database, key)) ?? callback]);
      return shown ?? presentCallback(callback);
    },
  });
}
