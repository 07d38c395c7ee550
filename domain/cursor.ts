import { z } from 'zod';
import type { Page } from './api/primitives.ts';
import { Problem, invalidField } from './api/problem.ts';

/** Where a page ended: the sort key of its last row. */
export type Position = readonly (string | number)[];

/** Which page of a list is asked for: the one after `cursor`, or the first. */
export interface PageRequest {
  cursor: string | undefined;
  limit: number;
}

/** Microseconds since the epoch, up to the year 2096: PostgreSQL keeps microseconds, which a Date would truncate. */
export const microseconds = z.int().min(0).max(4_000_000_000_000_000);

/** The years that a database and four digits can hold, in microseconds since the epoch. */
const FIRST_MOMENT = -62_135_596_800_000_000n;
const LAST_MOMENT = 253_402_300_799_999_999n;

/** Microseconds since the epoch as text: a number is exact from 1684 to 2255 only, and platforms send any year. */
export const moment = z
  .string()
  .refine((text) => /^-?\d{1,18}$/.test(text) && BigInt(text) >= FIRST_MOMENT && BigInt(text) <= LAST_MOMENT);

/** A key that may be stored in a text column. */
export const keyText = z
  .string()
  .max(512)
  .refine((value) => !value.includes('\u0000') && value.isWellFormed());

export function encodeCursor(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

function parseText(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The position in a cursor; null for anything that is not from one of our lists. */
export function parseCursor<Key extends z.ZodType>(key: Key, cursor: string): z.output<Key> | null {
  const result = key.safeParse(parseText(cursor));
  return result.success ? result.data : null;
}

/**
 * Parses a caller's cursor; undefined if none was given.
 * @throws Problem `invalid_request` for anything that is not from one of our lists.
 */
export function decodeCursor<Key extends z.ZodType>(key: Key, cursor: string | undefined): z.output<Key> | undefined {
  if (cursor === undefined) return undefined;
  const position = parseCursor(key, cursor);
  if (position !== null) return position;
  throw new Problem('invalid_request', 'The cursor was not returned by a list', {
    errors: [invalidField('query/cursor', 'foreign_cursor')],
  });
}

/** One page from at most `limit + 1` rows; the extra row only indicates that there are more. */
export function pageOf<Row>(rows: readonly Row[], limit: number, positionOf: (row: Row) => Position): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items,
    nextCursor: rows.length > limit && last !== undefined ? encodeCursor(positionOf(last)) : null,
  };
}

/** The same page with its items mapped. */
export function mapPage<Row, Item>({ items, nextCursor }: Page<Row>, toItem: (row: Row) => Item): Page<Item> {
  return { items: items.map((row) => toItem(row)), nextCursor };
}

/** The items of every page in turn; at most one page is held at a time. */
export async function* allPages<Row>(
  read: (cursor: string | undefined) => Promise<Page<Row>>,
): AsyncGenerator<readonly Row[]> {
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    yield page.items;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
