/** The days and times of a cron expression. */
export interface Cron {
  minute: number;
  hours: ReadonlySet<number>;
  days: ReadonlySet<number>;
  months: ReadonlySet<number>;
  /** Sunday is 0. */
  weekdays: ReadonlySet<number>;
  /** As cron has it: with both given, either has to fit. */
  eitherDay: boolean;
}

/** The numbers of one part, such as `5`, `1-5`, `1-31/2` or an asterisk; null if it is malformed. */
function numbersOf(part: string, least: number, most: number): number[] | null {
  const [, range = '', first, last, step] = /^(\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part) ?? [];
  if (range === '') return null;
  const from = range === '*' ? least : Number(first);
  const open = range === '*' || (step !== undefined && last === undefined);
  const to = open ? most : Number(last ?? first);
  const by = step === undefined ? 1 : Number(step);
  if (from < least || to > most || from > to || by < 1) return null;
  return Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, index) => from + index * by);
}

function setOf(field: string, least: number, most: number): Set<number> | null {
  const parts = field.split(',').map((part) => numbersOf(part, least, most));
  return parts.includes(null) ? null : new Set(parts.flatMap((numbers) => numbers ?? []));
}

/**
 * Five numeric fields: minute, hour, day of the month, month, day of the week (0 or 7 is Sunday), with lists, ranges and
 * steps. The minute is a single number: nobody wants a campaign more than once an hour. Null for anything else.
 */
export function parseCron(expression: string): Cron | null {
  const fields = expression.trim().split(/\s+/);
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields;
  if (fields.length !== 5 || !/^\d{1,2}$/.test(minute) || Number(minute) > 59) return null;
  const hours = setOf(hour, 0, 23);
  const days = setOf(day, 1, 31);
  const months = setOf(month, 1, 12);
  const weekdays = setOf(weekday, 0, 7);
  if (!hours || !days || !months || !weekdays) return null;
  return {
    minute: Number(minute),
    hours,
    days,
    months,
    weekdays: new Set([...weekdays].map((one) => one % 7)),
    eitherDay: !day.startsWith('*') && !weekday.startsWith('*'),
  };
}
