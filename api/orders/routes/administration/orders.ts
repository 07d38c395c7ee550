import { allPages } from '#domain/cursor.ts';
import type { Database } from '#db/database.ts';
import { decideFlags } from '#db/orders/events/flags.ts';
import type { OrderRow } from '#db/orders/orders.ts';
import { findStaffOrder, readDetails, searchOrders } from '#db/orders/staff.ts';
import { standingAmong } from '#db/orders/standing.ts';
import type { OrderFilter } from '#domain/orders/administration.ts';
import { OrderError } from '#domain/orders/codes.ts';
import { orderColumns } from '#domain/orders/list-columns.ts';
import { orderStatus, paymentStatus } from '#domain/orders/states.ts';
import { staffOrderOperations } from '#domain/orders/operations/staff-orders.ts';
import type { StaffOrderData } from '#domain/orders/responses.ts';
import { sendCsv } from '#api/http/csv.ts';
import { perPerson } from '#api/http/security/rate-limits.ts';
import { decodeOrderCursor, encodeOrderCursor } from '#api/orders/order-cursor.ts';
import type { ServeOrders } from '#api/orders/order-api.ts';
import { payResponse, type Payments } from '#api/orders/payments/pay.ts';
import { presentOrderDetails, presentStaffOrder, presentStanding } from '#api/orders/present/staff.ts';
import type { Payer } from '#api/orders/session.ts';
import { reachOf } from '#api/orders/tenants.ts';
import { statusOf } from '#api/orders/status-filter.ts';
import { authorOf } from './access.ts';
import { auditDecision } from './approvals.ts';

export interface StaffOrderDeps {
  database: Database;
  payments: Payments;
  /** How many files a person may ask for. */
  exportsPerMinute: number;
}

/** Of most orders nothing is expected any more, and nothing has to be read. */
const mayStand = ({
  orderStatus: order,
  paymentStatus: payment,
  flags,
  needsStaff,
}: ReturnType<typeof presentStaffOrder>): boolean =>
  order === orderStatus.POINTS_UNKNOWN ||
  order === orderStatus.PAYMENT_PENDING ||
  payment === paymentStatus.REFUND_PENDING ||
  flags.length > 0 ||
  needsStaff;

const PAGE = 50;
/** Rows of one statement of a file: an order has its items with it. */
const FILE_PAGE = 500;

/** @throws OrderError 90200 if the order is out of reach. */
export async function reachedOrder(database: Database, payer: Payer, orderId: string): Promise<OrderRow> {
  const order = await findStaffOrder(database, { ...reachOf(payer), orderId });
  if (!order) throw new OrderError(90200);
  return order;
}

/** @throws OrderError 90200 if the order is out of reach. */
export async function staffOrder(database: Database, payer: Payer, orderId: string): Promise<StaffOrderData> {
  const order = await reachedOrder(database, payer, orderId);
  return presentOrderDetails(order, await readDetails(database, orderId));
}

async function pageOf(
  database: Database,
  payer: Payer,
  { status, q, flagged, needsStaff, sort }: OrderFilter,
  { cursor, limit }: { cursor: string | undefined; limit: number },
) {
  const search = {
    ...reachOf(payer),
    status: statusOf(status, 'query/status'),
    q: q?.trim() || null,
    flagged: flagged === 'true',
    needsStaff: needsStaff === 'true',
  };
  const page = await searchOrders(database, search, { cursor: decodeOrderCursor(cursor, sort), limit, sort });
  return { items: page.items.map(presentStaffOrder), nextCursor: encodeOrderCursor(page.next, sort) };
}

/** Orders as staff see and decide them. */
export function staffOrderRoutes(serve: ServeOrders, { database, payments, exportsPerMinute }: StaffOrderDeps): void {
  const countExport = perPerson(exportsPerMinute);
  serve(staffOrderOperations.searchOrders, {
    handle: async ({ actor: payer, query: { cursor, limit = PAGE, ...filter } }) => {
      const { items, nextCursor } = await pageOf(database, payer, filter, { cursor, limit });
      const open = items.filter(mayStand).map(({ orderId }) => orderId);
      const standing = await standingAmong(database, open, new Date());
      return {
        items: items.map((order) => ({ ...order, standing: presentStanding(standing.get(order.orderId)) })),
        nextCursor,
      };
    },
  });

  serve(staffOrderOperations.exportOrders, {
    handle: async ({ ctx, actor: payer, query }) => {
      await countExport(payer);
      return sendCsv(ctx, {
        name: 'orders',
        columns: orderColumns,
        pages: allPages((cursor) => pageOf(database, payer, query, { cursor, limit: FILE_PAGE })),
      });
    },
  });

  serve(staffOrderOperations.getStaffOrder, {
    handle: ({ actor: payer, params }) => staffOrder(database, payer, params.id),
  });

  serve(staffOrderOperations.resolveOrder, {
    handle: async ({ actor: payer, params, body }) => {
      const { tenantId, orderStatus, flags } = await reachedOrder(database, payer, params.id);
      const decision = { orderId: params.id, outcome: body.outcome, by: payer };
      const decided = await decideFlags(database, decision, (transaction, approval) =>
        auditDecision(transaction, approval, {
          tenantId,
          author: authorOf(payer),
          action: 'order.resolve',
          subject: { type: 'order', id: params.id },
          before: { orderStatus, flags },
          after: { outcome: body.outcome },
        }),
      );
      if (decided === 'waits') return staffOrder(database, payer, params.id);
      if (decided !== 'decided') throw new OrderError(decided === 'no_charge' ? 90206 : 90202);
      const result = await payments.resolve(params.id);
      if (result.code === 90304 || result.code === 90206) payResponse(result);
      return staffOrder(database, payer, params.id);
    },
  });
}
