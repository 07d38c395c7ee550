import {
  type CalendarDate,
  type CalendarDateTime,
  fromDate,
  isSameDay,
  parseDate,
  parseDateTime,
  toCalendarDate,
  toCalendarDateTime,
  toTime,
  toZoned,
} from '@internationalized/date';

/** A wall clock reading: `date` as 2026-11-24, `time` as 09:00. */
export interface WallClock {
  date: string;
  time: string;
}

/** Null if the text is not a day, such as 2026-02-31 or a date input that is still empty. */
export function parseDay(date: string): CalendarDate | null {
  try {
    const day = parseDate(date);
    return day.toString() === date ? day : null;
  } catch {
    return null;
  }
}

function parseReading({ date, time }: WallClock): CalendarDateTime | null {
  if (!parseDay(date)) return null;
  try {
    return parseDateTime(`${date}T${time}`);
  } catch {
    return null;
  }
}

/** Whether the value is a day that exists, as 2026-11-24. */
export function isDay(value: unknown): value is string {
  return typeof value === 'string' && parseDay(value) !== null;
}

/**
 * The instants at which clocks in a zone show this reading: usually one; none if a clock change skips it; two if a
 * clock change repeats it (earlier first). Null if the reading is not a complete date and time.
 */
export function instantsOf(clock: WallClock, zone: string): Date[] | null {
  const reading = parseReading(clock);
  if (!reading) return null;
  const [earlier, later] = [toZoned(reading, zone, 'earlier'), toZoned(reading, zone, 'later')];
  // A skipped reading resolves to instants before and after the change, at which clocks show something else.
  if (toCalendarDateTime(earlier).compare(reading) !== 0) return [];
  return earlier.compare(later) === 0 ? [earlier.toDate()] : [earlier.toDate(), later.toDate()];
}

/** What clocks in a zone show at an instant. */
export function wallClockOf(instant: Date, zone: string): WallClock {
  const zoned = fromDate(instant, zone);
  return { date: toCalendarDate(zoned).toString(), time: toTime(zoned).toString().slice(0, 5) };
}

/**
 * The instant at which a day, as 2026-11-24, begins in a zone, which may skip midnight; null if there is no such day.
 */
export function startOfDay(date: string, zone: string): Date | null {
  const day = parseDay(date);
  if (!day) return null;
  const start = toZoned(day, zone);
  return isSameDay(start, day) ? start.toDate() : null;
}

/**
 * The day that many days later, or earlier if `days` is negative.
 * @throws RangeError if `date` is not a day.
 */
export function addDays(date: string, days: number): string {
  return parseDate(date).add({ days }).toString();
}
