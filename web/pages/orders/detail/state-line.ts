import type { StaffOrderData } from '../../../../domain/orders/responses.ts';
import { type Axis, codesOf, namesOf } from '../order-look.ts';

export type Moment = StaffOrderData['history'][number];

/** A status that one axis kept over some moments in a row. */
export interface Stretch {
  name: string;
  code: number;
  /** The moment at which it began, and how many moments it lasted. */
  from: number;
  length: number;
}

/** One axis of an order's history; moments in which it did not change belong to the stretch before. */
export function stretchesOf(history: readonly Moment[], axis: Axis): Stretch[] {
  const stretches: Stretch[] = [];
  for (const [from, moment] of history.entries()) {
    const name = namesOf(moment)[axis];
    const last = stretches.at(-1);
    if (last?.name === name) last.length += 1;
    else stretches.push({ name, code: codesOf(moment)[axis], from, length: 1 });
  }
  return stretches;
}
