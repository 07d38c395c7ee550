import { randomBytes } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import type { Database } from '../../../db/database.ts';
import { findGoods, findTenant, usableCoupons } from '../../../db/orders/catalogue.ts';
import { findPayersOrder, insertOrder, listPayersOrders, type NewOrder } from '../../../db/orders/orders.ts';
import { cancelCreated, readPayment, requestCancel } from '../../../db/orders/payments.ts';
import { OrderError } from '../../../domain/orders/codes.ts';
import { orderOperations } from '../../../domain/orders/operations.ts';
import { type PaymentResult, type PaymentState, rejected } from '../../../domain/orders/payment.ts';
import { type Draft, price, type PricedOrder } from '../../../domain/orders/pricing.ts';
import { type CreateOrder, DEFAULT_RESERVE_TIMEOUT_SECONDS, draftOf } from '../../../domain/orders/requests.ts';
import { orderStatus } from '../../../domain/orders/states.ts';
import { decodeOrderCursor, encodeOrderCursor } from '../order-cursor.ts';
import { payResponse, type Payments } from '../pay.ts';
import { presentOrder } from '../present.ts';
import type { ServeOrders } from '../order-api.ts';
import type { Payer } from '../session.ts';
import { statusOf } from '../status-filter.ts';
import { requireReach } from '../tenants.ts';

interface OrderRouteDeps {
  database: Database;
  payments: Payments;
}

const PAGE = 50;
/** Without I, O, 0 and 1, which people confuse; 32 characters, so that a byte selects them evenly. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** The date and ten random characters, e.g. `20261121-K7Q2MWX4TR`, which reveal nothing about other orders. */
function newOrderNo(now: Date): string {
  const day = now.toISOString().slice(0, 10).replaceAll('-', '');
  return `${day}-${[...randomBytes(10)].map((byte) => LETTERS[byte % LETTERS.length]).join('')}`;
}

/** Looks up what the request names and computes the amounts. @throws OrderError */
async function priced(
  database: Database,
  payer: Payer,
  tenantId: string,
  draft: Draft,
): Promise<PricedOrder & { currency: string }> {
  const tenant = await findTenant(database, tenantId);
  const result = price(draft, {
    tenant,
    goods: await findGoods(database, [...new Set(draft.items?.map((item) => item.goodsId) ?? [])]),
    usableCoupons: await usableCoupons(database, { tenantId, userId: payer.userId }, draft.couponIds),
  });
  if ('rejected' in result || !tenant) throw new OrderError('rejected' in result ? result.rejected : 90201);
  return { ...result.priced, currency: tenant.currency };
}

function newOrder(
  payer: Payer,
  body: CreateOrder,
  draft: Draft,
  amounts: PricedOrder & { currency: string },
): NewOrder {
  return {
    orderId: uuidv7(),
    orderNo: newOrderNo(new Date()),
    tenantId: body.tenantId,
    userId: payer.userId,
    title: body.title ?? null,
    description: body.description ?? null,
    totalMinor: amounts.totalMinor,
    grossMinor: amounts.grossMinor,
    currency: amounts.currency,
    tenantPoints: draft.tenantPoints,
    districtPoints: draft.districtPoints,
    walletPoints: draft.walletPoints,
    couponIds: draft.couponIds,
    earnLimitInfos: draft.earnLimitInfos ?? [],
    pointsTenantId: amounts.pointsTenantId,
    lines: amounts.lines,
    carrierId: draft.carrierId,
    npoban: body.npoban ?? null,
    buyerIdentifier: body.buyerIdentifier ?? null,
    buyerName: body.buyerName ?? null,
  };
}

/** The caller's own order at the named tenant. @throws OrderError 90200 */
async function ownOrder(database: Database, payer: Payer, tenantId: string | null | undefined, orderId: string) {
  const order = tenantId ? await findPayersOrder(database, { tenantId, userId: payer.userId, orderId }) : null;
  if (!order) throw new OrderError(90200);
  return order;
}

/** The result of a cancel from the row alone; null if the payment has to be ended first. */
function cancelled(state: PaymentState): PaymentResult | null {
  switch (state.orderStatus) {
    case orderStatus.CANCELLED:
      return { code: 1000, state };
    case orderStatus.POINTS_UNKNOWN:
      return rejected(90301, state);
    case orderStatus.PAYMENT_PENDING:
      // Staff must decide about its money.
      return state.flagged || state.resolution !== null ? rejected(90202, state) : null;
    case orderStatus.CREATED:
      return null;
    default:
      return rejected(90202, state);
  }
}

/** Cancels the order, unless it was paid in the meantime and completed. */
async function cancel({ database, payments }: OrderRouteDeps, orderId: string): Promise<PaymentResult> {
  const before = await readPayment(database, orderId);
  const known = cancelled(before);
  if (known) return known;
  if (await cancelCreated(database, orderId)) return { code: 1000, state: await readPayment(database, orderId) };
  const { attempt } = await readPayment(database, orderId);
  await requestCancel(database, { orderId, attempt });
  const end = await payments.end(orderId, (state) =>
    state.orderStatus === orderStatus.DONE ? { code: 1000, state } : cancelled(state),
  );
  const over = end.state?.orderStatus === orderStatus.CANCELLED || end.state?.orderStatus === orderStatus.DONE;
  return over ? { ...end, code: 1000 } : end;
}

/** Operations for payers. */
export function orderRoutes(serve: ServeOrders, deps: OrderRouteDeps): void {
  const { database, payments } = deps;

  serve(orderOperations.createOrder, {
    handle: async ({ actor: payer, body }) => {
      await requireReach(database, payer, body.tenantId);
      const draft = draftOf(body);
      const order = newOrder(payer, body, draft, await priced(database, payer, body.tenantId, draft));
      await insertOrder(database, order);
      return { orderId: order.orderId, orderNo: order.orderNo, orderStatus: 0, pointsStatus: 0, paymentStatus: 0 };
    },
  });

  serve(orderOperations.getOrder, {
    handle: async ({ actor: payer, body }) =>
      presentOrder(await ownOrder(database, payer, body.tenantId, body.orderId)),
  });

  serve(orderOperations.listOrders, {
    handle: async ({ actor: payer, body }) => {
      const page = await listPayersOrders(
        database,
        { tenantId: body.tenantId, userId: payer.userId, status: statusOf(body.status, '/status') },
        { cursor: decodeOrderCursor(body.cursor), limit: body.limit ?? PAGE },
      );
      return { items: page.items.map(presentOrder), nextCursor: encodeOrderCursor(page.next) };
    },
  });

  serve(orderOperations.payOrder, {
    handle: async ({ actor: payer, params, body }) => {
      const { orderId } = await ownOrder(database, payer, body.tenantId, params.id);
      const response = await payments.pay(orderId, {
        ttlMs: (body.reserveTimeoutSeconds ?? DEFAULT_RESERVE_TIMEOUT_SECONDS) * 1000,
        resultURL: body.resultURL ?? null,
        cancelURL: body.cancelURL ?? null,
      });
      return payResponse(response);
    },
  });

  serve(orderOperations.cancelOrder, {
    handle: async ({ actor: payer, params, body }) => {
      const { orderId } = await ownOrder(database, payer, body.tenantId, params.id);
      return payResponse(await cancel(deps, orderId));
    },
  });
}
