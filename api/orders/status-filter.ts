import { OrderError } from '#domain/orders/codes.ts';
import { orderStatus } from '#domain/orders/states.ts';

/**
 * The order status that a filter gives as code or name; null if it gives none.
 * @throws OrderError 90001 with `path`
 */
export function statusOf(text: string | null | undefined, path: string): number | null {
  if (!text) return null;
  const found = Object.entries(orderStatus).find(
    ([name, code]) => name === text.toUpperCase() || String(code) === text,
  );
  if (!found) throw new OrderError(90001, { errors: [{ path, message: 'is not an order status' }] });
  return found[1];
}
