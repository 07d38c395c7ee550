import { recordAudit } from '#db/orders/audit.ts';
import type { Database } from '#db/database.ts';
import { changeInvoice } from '#db/orders/invoices.ts';
import { OrderError } from '#domain/orders/codes.ts';
import { presentInvoice } from '#domain/orders/invoice.ts';
import { staffOrderOperations } from '#domain/orders/operations/staff-orders.ts';
import type { ServeOrders } from '#api/orders/order-api.ts';
import { authorOf } from './access.ts';
import { reachedOrder, staffOrder } from './orders.ts';

/** What a provider issued for orders. */
export function invoiceRoutes(serve: ServeOrders, { database }: { database: Database }): void {
  serve(staffOrderOperations.changeInvoice, {
    handle: async ({ actor: payer, params, body }) => {
      const { tenantId } = await reachedOrder(database, payer, params.id);
      const result = await changeInvoice(database, { orderId: params.id, change: body }, (transaction, before, after) =>
        recordAudit(transaction, {
          tenantId,
          author: authorOf(payer),
          action: 'order.invoice',
          subject: { type: 'order', id: params.id },
          before: before && presentInvoice(before),
          after: presentInvoice(after),
        }),
      );
      if (result.kind === 'malformed')
        throw new OrderError(90001, { errors: [{ path: result.path, message: result.message }] });
      if (result.kind !== 'changed') throw new OrderError(90202);
      return staffOrder(database, payer, params.id);
    },
  });
}
