import { z } from 'zod';
import type { Database } from '../../../../db/database.ts';
import { recordAudit } from '../../../../db/orders/audit.ts';
import { findCallback, resolveCallback, unmatchedCallbacks } from '../../../../db/orders/events/unmatched.ts';
import { OrderError } from '../../../../domain/orders/codes.ts';
import { encodeCursor } from '../../../../domain/cursor.ts';
import { callbackOperations } from '../../../../domain/orders/operations/callbacks.ts';
import { decodeListCursor } from '../../order-cursor.ts';
import type { ServeOrders } from '../../order-api.ts';
import { presentCallback } from '../../present/staff.ts';
import type { StartRefund } from '../../start-refund.ts';

const PAGE = 50;
const positionSchema = z.tuple([z.int().min(0), z.string().max(2000)]);

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
        items: items.map(presentCallback),
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
      const decided = await resolveCallback(database, { callback, body, by: payer.userId }, (transaction) =>
        recordAudit(transaction, {
          tenantId,
          actor: payer.userId,
          action: 'callback.resolve',
          subject: { type: 'callback', id: params.id },
          before: { status, chargeId },
          after: { ...body },
        }),
      );
      if (!decided) throw new OrderError(90202);
      if (body.outcome === 'refund') await startRefund({ refundId: chargeId, orderId: null, tenantId });
      return presentCallback((await findCallback(database, key)) ?? callback);
    },
  });
}
