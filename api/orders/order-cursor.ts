import { z } from 'zod';
import type { OrderCursor } from '../../db/orders/orders.ts';
import { encodeCursor, parseCursor } from '../../domain/cursor.ts';
import { OrderError } from '../../domain/orders/codes.ts';

const positionSchema = z.tuple([z.int().min(0), z.string().max(64)]);

/** The cursor for the next page of orders; null on the last page. */
export function encodeOrderCursor(next: OrderCursor | null): string | null {
  return next && encodeCursor([next.createdMicros, next.orderId]);
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

/** @throws OrderError 90001 for a cursor that was not returned by one of our lists. */
export function decodeOrderCursor(cursor: string | null | undefined): OrderCursor | null {
  const position = decodeListCursor(positionSchema, cursor);
  return position && { createdMicros: position[0], orderId: position[1] };
}
