import { countAttention } from '#db/orders/attention.ts';
import { recordAudit } from '#db/orders/audit.ts';
import type { Database } from '#db/database.ts';
import { standingAmong } from '#db/orders/standing.ts';
import { presentStanding } from '#api/orders/present/staff.ts';
import { addNote } from '#db/orders/notes.ts';
import { staffOrderOperations } from '#domain/orders/operations/staff-orders.ts';
import type { ServeOrders } from '#api/orders/order-api.ts';
import { reachOf } from '#api/orders/tenants.ts';
import { authorOf } from './access.ts';
import { reachedOrder, staffOrder } from './orders.ts';

/** What staff leave for each other, how much waits for them, and what waits for something else. */
export function deskRoutes(serve: ServeOrders, { database }: { database: Database }): void {
  serve(staffOrderOperations.noteOrder, {
    handle: async ({ actor: payer, params, body }) => {
      const { tenantId } = await reachedOrder(database, payer, params.id);
      const { userId, name: authorName } = payer;
      await addNote(database, { orderId: params.id, author: userId, authorName, body: body.text }, (transaction) =>
        recordAudit(transaction, {
          tenantId,
          author: authorOf(payer),
          action: 'order.note',
          subject: { type: 'order', id: params.id },
          before: null,
          after: { note: body.text },
        }),
      );
      return staffOrder(database, payer, params.id);
    },
  });

  serve(staffOrderOperations.getOrderStanding, {
    handle: async ({ actor: payer, params }) => {
      await reachedOrder(database, payer, params.id);
      const standing = await standingAmong(database, [params.id], new Date());
      return { standing: presentStanding(standing.get(params.id)) };
    },
  });

  serve(staffOrderOperations.getAttention, {
    handle: ({ actor: payer }) => countAttention(database, reachOf(payer)),
  });
}
