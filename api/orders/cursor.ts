import { z } from 'zod';
import type { OrderCursor } from '../../db/orders/orders.ts';
import { OrderError } from '../../domain/orders/codes.ts';

const cursorSchema = z.tuple([z.int().min(0), z.string().max(64)]);

/** An opaque text that names the place where a page ended. */
export function encodeCursor(cursor: OrderCursor | null): string | null {
  return cursor && Buffer.from(JSON.stringify([cursor.createdMicros, cursor.orderId])).toString('base64url');
}

/** @throws OrderRefusal 90001 for a text that we did not make. */
export function decodeCursor(text: string | null | undefined): OrderCursor | null {
  if (text === null || text === undefined) return null;
  try {
    const [createdMicros, orderId] = cursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    return { createdMicros, orderId };
  } catch (error) {
    throw new OrderError(90001, { errors: [{ path: '/cursor', message: 'is none of ours' }], cause: error });
  }
}
