import { z } from 'zod';
import type { OrderCursor } from '#db/orders/orders.ts';
import type { OrderSort } from '#domain/lists/sorts.ts';
import { encodeCursor, parseCursor } from '#domain/cursor.ts';
import { OrderError } from '#domain/orders/codes.ts';

const position = [z.int().min(0), z.string().max(64)] as const;
const usualPosition = z.tuple(position);

/** The cursor for the next page of orders; null on the last page. It names an order that is not the usual one. */
export function encodeOrderCursor(next: OrderCursor | null, sort?: OrderSort): string | null {
  return next && encodeCursor([next.at, next.orderId, ...(sort === undefined ? [] : [sort])]);
}

/** @throws OrderError 90001 for a cursor that was not returned by one of our lists. */
export function decodeListCursor<Key extends z.ZodType>(
  key: Key,
  cursor: string | null | undefined,
): z.output<Key> | null {
  if (cursor === null || cursor === undefined) return null;
  const position = parseCursor(key, cursor);
  if (position) return position;
  throw new OrderError(90001, { errors: [{ path: '/cursor', message: 'was not returned by one of our lists' }] });
}

/** @throws OrderError 90001 for a cursor that was not returned by one of our lists, or by one in another order. */
export function decodeOrderCursor(cursor: string | null | undefined, sort?: OrderSort): OrderCursor | null {
  const found =
    sort === undefined
      ? decodeListCursor(usualPosition, cursor)
      : decodeListCursor(z.tuple([...position, z.literal(sort)]), cursor);
  return found && { at: found[0], orderId: found[1] };
}
