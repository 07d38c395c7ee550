import type { Database } from '../../../../db/database.ts';
import { decideFlags } from '../../../../db/orders/events/flags.ts';
import { findStaffOrder, readDetails, searchOrders } from '../../../../db/orders/staff.ts';
import { OrderError } from '../../../../domain/orders/codes.ts';
import { staffOrderOperations } from '../../../../domain/orders/operations/staff-orders.ts';
import type { StaffOrderData } from '../../../../domain/orders/responses.ts';
import { orderStatus } from '../../../../domain/orders/states.ts';
import { decodeOrderCursor, encodeOrderCursor } from '../../order-cursor.ts';
import type { ServeOrders } from '../../order-api.ts';
import { payResponse, type Payments } from '../../pay.ts';
import { presentOrderDetails, presentStaffOrder } from '../../present-staff.ts';
import type { Payer } from '../../session.ts';
import { statusOf } from '../../status-filter.ts';

interface StaffOrderDeps {
  database: Database;
  payments: Payments;
}

const PAGE = 50;

/** @throws OrderError 90200 if the order is out of reach. */
async function staffOrder(database: Database, payer: Payer, orderId: string): Promise<StaffOrderData> {
  const order = await findStaffOrder(database, { staffTenantId: payer.tenantId, orderId });
  if (!order) throw new OrderError(90200);
  return presentOrderDetails(order, await readDetails(database, orderId));
}

/** Orders as staff see and decide them. */
export function staffOrderRoutes(serve: ServeOrders, { database, payments }: StaffOrderDeps): void {
  serve(staffOrderOperations.searchOrders, {
    handle: async ({ actor: payer, query }) => {
      const page = await searchOrders(
        database,
        {
          staffTenantId: payer.tenantId,
          status: statusOf(query.status, 'query/status'),
          q: query.q?.trim() || null,
          flagged: query.flagged === 'true',
        },
        { cursor: decodeOrderCursor(query.cursor), limit: query.limit ?? PAGE },
      );
      return { items: page.items.map(presentStaffOrder), nextCursor: encodeOrderCursor(page.next) };
    },
  });

  serve(staffOrderOperations.getStaffOrder, {
    handle: ({ actor: payer, params }) => staffOrder(database, payer, params.id),
  });

  serve(staffOrderOperations.resolveOrder, {
    handle: async ({ actor: payer, params, body }) => {
      await staffOrder(database, payer, params.id);
      const decided = await decideFlags(database, { orderId: params.id, outcome: body.outcome, by: payer.userId });
      if (!decided) throw new OrderError(90202);
      const end = await payments.end(params.id, (state) =>
        state.orderStatus === orderStatus.PAYMENT_PENDING ? null : { code: 1000, state },
      );
      if (end.code === 90304) payResponse(end);
      return staffOrder(database, payer, params.id);
    },
  });
}
