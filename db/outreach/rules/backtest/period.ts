import { type FieldError, invalidField, Problem } from '#domain/api/problem.ts';
import { keptSince } from '#domain/retention.ts';

/** Both bounds are part of it. */
export interface Period {
  from: Date;
  to: Date;
}

/** @throws Problem `invalid_content` for a period that ends before it begins, or begins before the retained data. */
export function assertPeriod({ from, to }: Period, now: Date, days: number): void {
  const reject = (rejected: FieldError) =>
    new Problem('invalid_content', `${rejected.path.slice(1)} ${rejected.message}`, { errors: [rejected] });
  if (from < keptSince(days, now)) throw reject(invalidField('/from', 'no_longer_kept', { days }));
  if (to < from) throw reject(invalidField('/to', 'before_start'));
}
