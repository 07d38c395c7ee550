import { Problem, invalidField } from './api/problem.ts';
import type { FieldErrorCode, FieldErrorParams } from './api/field-errors.ts';

/** [from, to), and the start of the equally long period before it. */
export interface Period {
  previousFrom: Date;
  from: Date;
  to: Date;
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 7;
const LONGEST_DAYS = 366;
/** The earliest `from`: nothing was sent before, and from then on PostgreSQL and Date agree. */
const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

function reject(code: FieldErrorCode, params?: FieldErrorParams): Problem {
  return new Problem('invalid_content', 'The period is invalid', {
    errors: [invalidField('query/from', code, params)],
  });
}

/**
 * The period requested by a caller; by default it ends `now` and is seven days long.
 * @throws Problem `invalid_content` if it ends before it begins, or is longer than 366 days.
 */
export function periodOf(asked: { from?: string | undefined; to?: string | undefined }, now: Date): Period {
  const to = asked.to === undefined ? now : new Date(asked.to);
  const from = asked.from === undefined ? new Date(to.getTime() - DEFAULT_DAYS * DAY_MS) : new Date(asked.from);
  const length = to.getTime() - from.getTime();
  if (length <= 0) throw reject('after_end');
  if (length > LONGEST_DAYS * DAY_MS) throw reject('period_too_long', { days: LONGEST_DAYS });
  if (from.getTime() < EARLIEST || to.getTime() > LATEST) throw reject('year_out_of_range');
  return { previousFrom: new Date(from.getTime() - length), from, to };
}

/** Hours for at most three days, else days. */
export function seriesUnit({ from, to }: Period): 'hour' | 'day' {
  return to.getTime() - from.getTime() <= 3 * DAY_MS ? 'hour' : 'day';
}
