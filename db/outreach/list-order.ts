import { z } from 'zod';
import { decodeCursor, keyText, moment, type Position } from '#domain/cursor.ts';
import { atMicroseconds, toMicroseconds } from './sql-fragments.ts';

/** What the rows of a list are ordered by, in SQL that an index has in the same form. */
export interface ListOrder {
  key: string;
  of: 'moment' | 'text';
}

/** The parts of a statement for one page of an ordered list. */
export interface OrderedPage {
  /** Selected with each row as `at`, for its cursor. */
  at: string;
  /** Condition for what comes after the cursor; `true` on the first page. */
  after: string;
  orderBy: string;
  bindings: { at: string | null; after: string | null };
  positionOf: (row: { at: string }, id: string) => Position;
}

/**
 * Orders a list by `sort`, a name of `orders` with `-` before it for the other direction. The ids break ties in the same
 * direction, so that one index serves both. A cursor names its order: in another one it would repeat or lose rows. Those
 * of `usual`, the order where none is asked for, do not, since they are older than the others.
 * @throws Problem `invalid_request` for a cursor of another order.
 */
export function orderedPage<Name extends string>(
  orders: Record<Name, ListOrder>,
  { id, usual }: { id: string; usual?: Name | `-${Name}` },
  { sort, cursor }: { sort: Name | `-${Name}`; cursor?: string | undefined },
): OrderedPage {
  const descends = sort.startsWith('-');
  const { key, of } = orders[(descends ? sort.slice(1) : sort) as Name];
  const value = of === 'moment' ? moment : keyText;
  const isUsual = sort === usual;
  const position = isUsual
    ? decodeCursor(z.tuple([value, keyText]), cursor)
    : decodeCursor(z.tuple([value, keyText, z.literal(sort)]), cursor);
  const [at = null, after = null] = position ?? [];
  const direction = descends ? 'desc' : 'asc';
  const from = of === 'moment' ? atMicroseconds('at') : ':at';
  return {
    at: of === 'moment' ? toMicroseconds(key) : key,
    after: at === null ? 'true' : `(${key}, ${id}) ${descends ? '<' : '>'} (${from}, :after)`,
    orderBy: `${key} ${direction}, ${id} ${direction}`,
    bindings: { at, after },
    positionOf: (row, rowId) => (isUsual ? [row.at, rowId] : [row.at, rowId, sort]),
  };
}
