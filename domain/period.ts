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

function reject(code: FieldErrorCode, params?: FieldErrorParams, path = 'query/from'): Problem {
  return new Problem('invalid_content', 'The period is invalid', { errors: [invalidField(path, code, params)] });
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

/** The longest period that a calendar shows. */
export const CALENDAR_DAYS = 62;

/**
 * The period of a calendar; a day, as 2026-11-24, begins as it does in UTC.
 * @throws Problem `invalid_content` if it ends before it begins, or is longer than 62 days.
 */
export function calendarPeriodOf(asked: { from: string; to: string }): Pick<Period, 'from' | 'to'> {
  const [from, to] = [new Date(asked.from), new Date(asked.to)];
  const length = to.getTime() - from.getTime();
  if (length <= 0) throw reject('before_from', undefined, 'query/to');
  if (length > CALENDAR_DAYS * DAY_MS) throw reject('calendar_too_long', { days: CALENDAR_DAYS }, 'query/to');
  if (from.getTime() < EARLIEST || to.getTime() > LATEST) throw reject('year_out_of_range', undefined, 'query/to');
  return { from, to };
}
