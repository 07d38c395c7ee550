import type { StaffOrderData } from '#domain/orders/responses.ts';
import { type Axis, codesOf, namesOf } from '../order-look.ts';

export type StateChange = StaffOrderData['history'][number];

/** A status that one axis kept over several changes in a row. */
export interface Stretch {
  name: string;
  code: number;
  /** The index of the change that began it, and how many changes it lasted. */
  from: number;
  length: number;
}

/** One axis of an order's history; a change of another axis only extends the current stretch. */
export function stretchesOf(history: readonly StateChange[], axis: Axis): Stretch[] {
  const stretches: Stretch[] = [];
  for (const [from, instant] of history.entries()) {
    const name = namesOf(instant)[axis];
    const last = stretches.at(-1);
    if (last?.name === name) last.length += 1;
    else stretches.push({ name, code: codesOf(instant)[axis], from, length: 1 });
  }
  return stretches;
}
