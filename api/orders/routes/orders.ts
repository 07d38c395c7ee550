import type { Database } from '#db/database.ts';
import { isBusy } from '#db/errors.ts';
import { findPayersOrder, listPayersOrders, type PayersOrder } from '#db/orders/orders.ts';
import { cancelCreated, findPayersPayment, readPayment } from '#db/orders/payments.ts';
import { OrderError } from '#domain/orders/codes.ts';
import { orderOperations } from '#domain/orders/operations.ts';
import { type PaymentResult, type PaymentState, rejected } from '#domain/orders/payment.ts';
import { DEFAULT_RESERVE_TIMEOUT_SECONDS } from '#domain/orders/requests.ts';
import type { PayData } from '#domain/orders/responses.ts';
import { orderStatus } from '#domain/orders/states.ts';
import type { ReadClick } from '../attribution/click-tokens.ts';
import { createOrder } from './create-order.ts';
import { namedPayer } from '../named-payer.ts';
import { decodeOrderCursor, encodeOrderCursor } from '../order-cursor.ts';
import { payResponse, type Payments } from '../payments/pay.ts';
import { presentOrder } from '../present/order.ts';
import type { ServeOrders } from '../order-api.ts';
import type { Payer } from '../session.ts';
import { statusOf } from '../status-filter.ts';

interface OrderRouteDeps {
  database: Database;
  readClick: ReadClick;
  payments: Payments;
}

const PAGE = 50;

/** How the caller names an order of theirs, or a program one of its payer's. @throws OrderError 90200 if no tenant is named. */
function ownAt(
  caller: Payer,
  body: { tenantId?: string | null | undefined; userId?: string | null | undefined },
  orderId: string,
): PayersOrder {
  const { userId } = namedPayer(caller, body, 90200);
  const { tenantId } = body;
  if (!tenantId) throw new OrderError(90200);
  return { tenantId, userId, orderId };
}

/** The order that was found. @throws OrderError 90200 if there is none. */
function existing<T>(found: T | null): T {
  if (found === null) throw new OrderError(90200);
  return found;
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

/** Cancels the order, unless it was paid in the meantime and completed. @throws OrderError 90200 */
async function cancel({ database, payments }: OrderRouteDeps, own: PayersOrder): Promise<PaymentResult> {
  const { orderId } = own;
  const known = cancelled(existing(await findPayersPayment(database, own)));
  if (known) return known;
  if (await cancelCreated(database, orderId)) return { code: 1000, state: await readPayment(database, orderId) };
  const end = await payments.cancel(orderId, (state) =>
    state.orderStatus === orderStatus.DONE ? { code: 1000, state } : cancelled(state),
  );
  const over = end.state?.orderStatus === orderStatus.CANCELLED || end.state?.orderStatus === orderStatus.DONE;
  return over ? { ...end, code: 1000 } : end;
}

/**
 * Responds with what became of a payment of the caller's own order. If the database is too busy, the caller is told
 * that it is safe to repeat, with the statuses if they can be read.
 */
async function ofPayment(
  { database }: OrderRouteDeps,
  own: PayersOrder,
  work: (own: PayersOrder) => Promise<PaymentResult>,
): Promise<PayData> {
  try {
    return payResponse(await work(own));
  } catch (error) {
    if (!isBusy(error)) throw error;
    return payResponse(rejected(90304, await findPayersPayment(database, own).catch(() => null)));
  }
}

/** Operations for payers. */
export function orderRoutes(serve: ServeOrders, deps: OrderRouteDeps): void {
  const { database, payments } = deps;

  serve(orderOperations.createOrder, {
    handle: ({ actor: payer, body, headers }) =>
      createOrder(database, payer, { body, key: headers['idempotency-key'] ?? null, readClick: deps.readClick }),
  });

  serve(orderOperations.getOrder, {
    handle: async ({ actor: payer, body }) =>
      presentOrder(existing(await findPayersOrder(database, ownAt(payer, body, body.orderId)))),
  });

  serve(orderOperations.listOrders, {
    handle: async ({ actor: payer, body }) => {
      const page = await listPayersOrders(
        database,
        { tenantId: body.tenantId, userId: namedPayer(payer, body).userId, status: statusOf(body.status, '/status') },
        { cursor: decodeOrderCursor(body.cursor), limit: body.limit ?? PAGE },
      );
      return { items: page.items.map(presentOrder), nextCursor: encodeOrderCursor(page.next) };
    },
  });

  serve(orderOperations.payOrder, {
    handle: ({ actor: payer, params, body }) =>
      ofPayment(deps, ownAt(payer, body, params.id), (own) =>
        payments.pay(own, {
          ttlMs: (body.reserveTimeoutSeconds ?? DEFAULT_RESERVE_TIMEOUT_SECONDS) * 1000,
          resultURL: body.resultURL ?? null,
          cancelURL: body.cancelURL ?? null,
        }),
      ),
  });

  serve(orderOperations.cancelOrder, {
    handle: ({ actor: payer, params, body }) =>
      ofPayment(deps, ownAt(payer, body, params.id), (own) => cancel(deps, own)),
  });
}
