import type { ResponseOf } from '#domain/api/operation.ts';
import { fetchAsMine } from './http/account.ts';
import { type CallInput, createClient } from './http/client.ts';
import { suspectConnection } from './http/connection.ts';
import { credentials } from './http/credentials.ts';
import { type OrderOperations, orderRoutes } from './http/order-operations.ts';
import { readEnveloped } from './http/order-problem.ts';

type OrderOperationName = keyof OrderOperations;

/** A response, and how far the service's clock is ahead of this browser's, in milliseconds. */
export interface OrderResponse<Name extends OrderOperationName> {
  data: ResponseOf<OrderOperations[Name]>;
  clockAheadMs: number;
}

const { exchange } = createClient<OrderOperations>({
  routes: orderRoutes,
  fetch: fetchAsMine,
  // Refunds, points and stock have keys of their own in their bodies.
  takesKey: () => false,
  token: () => null,
  isOnline: () => globalThis.navigator?.onLine !== false,
  onUnreachable: suspectConnection,
  // The sign-in replaces the page; until then the error is shown.
  onUnauthorized: () => credentials.renew().then(() => false),
  read: readEnveloped,
});

function clockAhead(headers: Headers): number {
  const served = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(served) ? 0 : served - Date.now();
}

/**
 * Calls the order service through the BFF with the cookie session.
 * @throws OrderProblem if the service fails, ApiProblem if the request fails on the way, AbortError when aborted
 */
export async function callOrders<Name extends OrderOperationName>(
  name: Name,
  input: CallInput<OrderOperations[Name]>,
): Promise<OrderResponse<Name>> {
  const { response, headers } = await exchange(name, input);
  return { data: response, clockAheadMs: clockAhead(headers) };
}
