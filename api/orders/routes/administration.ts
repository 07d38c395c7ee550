import type { Database } from '../../../db/database.ts';
import { findTenant, findOwner, putCoupon, putGoods, putTenant } from '../../../db/orders/catalogue.ts';
import { decideFlags } from '../../../db/orders/flags.ts';
import { findBalances, grantPoints } from '../../../db/orders/ledger.ts';
import { findStaffOrder, readDetails, searchOrders, unmatchedCallbacks } from '../../../db/orders/staff.ts';
import type { PutTenant } from '../../../domain/orders/administration.ts';
import type { StaffOrderData } from '../../../domain/orders/responses.ts';
import { OrderError } from '../../../domain/orders/codes.ts';
import { orderOperations } from '../../../domain/orders/operations.ts';
import { orderStatus } from '../../../domain/orders/states.ts';
import { decodeOrderCursor, encodeOrderCursor } from '../order-cursor.ts';
import { payResponse, type Payments } from '../pay.ts';
import { presentCallback, presentOrderDetails, presentStaffOrder } from '../present-staff.ts';
import type { ServeOrders } from '../order-api.ts';
import type { Payer } from '../session.ts';
import { statusOf } from '../status-filter.ts';
import { requireReach } from '../tenants.ts';

interface AdministrationDeps {
  database: Database;
  payments: Payments;
}

const PAGE = 50;

/** @throws OrderError 90201 */
async function requireTenant(database: Database, tenantId: string): Promise<void> {
  if (!(await findTenant(database, tenantId))) throw new OrderError(90201);
}

/**
 * A new tenant may be created from a session of its own or of the headquarters it names.
 * @throws OrderError 90003
 */
async function requireTenantReach(database: Database, payer: Payer, tenantId: string, body: PutTenant): Promise<void> {
  const isNew = (await findTenant(database, tenantId)) === null;
  const founding = isNew && payer.tenantId !== '' && body.headquartersTenantId === payer.tenantId;
  if (!founding) await requireReach(database, payer, tenantId);
}

/**
 * An existing object must belong to a tenant in reach, both before and after the change.
 * @throws OrderError 90003, 90201
 */
async function requireOwnership(
  database: Database,
  payer: Payer,
  owned: { table: 'goods' | 'coupon'; id: string; tenantId: string },
): Promise<void> {
  await requireReach(database, payer, owned.tenantId);
  const owner = await findOwner(database, owned.table, owned.id);
  if (owner !== null && owner !== owned.tenantId) await requireReach(database, payer, owner);
  await requireTenant(database, owned.tenantId);
}

/** @throws OrderError 90200 if the order is out of reach. */
async function staffOrder(database: Database, payer: Payer, orderId: string): Promise<StaffOrderData> {
  const order = await findStaffOrder(database, { staffTenantId: payer.tenantId, orderId });
  if (!order) throw new OrderError(90200);
  return presentOrderDetails(order, await readDetails(database, orderId));
}

function catalogueRoutes(serve: ServeOrders, { database }: AdministrationDeps): void {
  serve(orderOperations.putTenant, {
    handle: async ({ actor: payer, params, body }) => {
      await requireTenantReach(database, payer, params.id, body);
      await putTenant(database, params.id, body);
      return { tenantId: params.id, ...body };
    },
  });

  serve(orderOperations.putGoods, {
    handle: async ({ actor: payer, params, body }) => {
      await requireOwnership(database, payer, { table: 'goods', id: params.id, tenantId: body.tenantId });
      await putGoods(database, params.id, body);
      return { goodsId: params.id, tenantId: body.tenantId };
    },
  });

  serve(orderOperations.putCoupon, {
    handle: async ({ actor: payer, params, body }) => {
      await requireOwnership(database, payer, { table: 'coupon', id: params.id, tenantId: body.tenantId });
      const status = await putCoupon(database, params.id, body);
      return { couponId: params.id, tenantId: body.tenantId, userId: body.userId, status };
    },
  });

  serve(orderOperations.grantPoints, {
    handle: async ({ actor: payer, body }) => {
      await requireReach(database, payer, body.tenantId);
      await requireTenant(database, body.tenantId);
      if (!(await grantPoints(database, body)))
        throw new OrderError(90001, { errors: [{ path: '/key', message: 'was used for another grant' }] });
      return findBalances(database, body);
    },
  });

  serve(orderOperations.getPoints, {
    handle: async ({ actor: payer, query }) => {
      await requireReach(database, payer, query.tenantId);
      return findBalances(database, query);
    },
  });
}

function staffOrderRoutes(serve: ServeOrders, { database, payments }: AdministrationDeps): void {
  serve(orderOperations.searchOrders, {
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

  serve(orderOperations.listUnmatchedCallbacks, {
    handle: async ({ actor: payer }) => ({
      items: (await unmatchedCallbacks(database, payer.tenantId)).map(presentCallback),
    }),
  });

  serve(orderOperations.getStaffOrder, {
    handle: ({ actor: payer, params }) => staffOrder(database, payer, params.id),
  });

  serve(orderOperations.resolveOrder, {
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

/** Operations for staff. */
export function administrationRoutes(serve: ServeOrders, deps: AdministrationDeps): void {
  catalogueRoutes(serve, deps);
  staffOrderRoutes(serve, deps);
}
