import type { RepeatCalendar } from '#domain/api/repeats.ts';
import { parseCron } from './cron.ts';
import { instantOf, wallOf } from '../wall-clock.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** February 29 is up to eight years away. */
const LONGEST_WAIT = 9 * 366 * DAY;

/** One time of a calendar. */
export interface Occurrence {
  /** What clocks in the zone show, or would if they did not skip it, as 2026-11-26T09:00. */
  localTime: string;
  at: Date;
}

/** A local day. */
interface Day {
  month: number;
  day: number;
  /** Sunday is 0. */
  weekday: number;
  /** The number of the last one of its month. */
  lastDay: number;
}

/** Which days a calendar has, and at which minutes since midnight, in ascending order. */
interface Pattern {
  has: (day: Day) => boolean;
  minutes: number[];
}

function minutesOf(at: string): number {
  const [hours, minutes] = at.split(':');
  return Number(hours) * 60 + Number(minutes);
}

function cronPattern(expression: string): Pattern {
  const cron = parseCron(expression);
  if (!cron) return { has: () => false, minutes: [] };
  const { minute, hours, days, months, weekdays, eitherDay } = cron;
  return {
    has: ({ month, day, weekday }) => {
      const [fitsDay, fitsWeekday] = [days.has(day), weekdays.has(weekday)];
      return months.has(month) && (eitherDay ? fitsDay || fitsWeekday : fitsDay && fitsWeekday);
    },
    minutes: [...hours].toSorted((one, other) => one - other).map((hour) => hour * 60 + minute),
  };
}

function patternOf(calendar: RepeatCalendar): Pattern {
  switch (calendar.type) {
    case 'daily':
      return { has: () => true, minutes: [minutesOf(calendar.at)] };
    case 'weekly':
      return { has: ({ weekday }) => calendar.days.includes(weekday || 7), minutes: [minutesOf(calendar.at)] };
    case 'monthly':
      return {
        has: ({ day, lastDay }) => day === Math.min(calendar.day, lastDay),
        minutes: [minutesOf(calendar.at)],
      };
    case 'cron':
      return cronPattern(calendar.expression);
  }
}

function dayOf(midnight: number): Day {
  const date = new Date(midnight);
  const month = date.getUTCMonth();
  return {
    month: month + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    lastDay: new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate(),
  };
}

/**
 * The times of a calendar after `after`, in order, without end unless there are none for nine years. A wall time that
 * clocks skip comes once, at the first moment after the gap, together with one that is at that moment anyway; a wall time
 * that they show twice comes once, the first time.
 */
export function* occurrencesAfter(calendar: RepeatCalendar, zone: string, after: Date): Generator<Occurrence> {
  const { has, minutes } = patternOf(calendar);
  let last = after.getTime();
  let found = last;
  // A gap moves what is before it to after it, by a day at most.
  let midnight = Math.floor(wallOf(last, zone) / DAY) * DAY - DAY;
  for (; midnight - found < LONGEST_WAIT; midnight += DAY) {
    if (!has(dayOf(midnight))) continue;
    for (const minute of minutes) {
      const wall = midnight + minute * MINUTE;
      const instant = instantOf(wall, zone);
      if (instant <= last) continue;
      last = instant;
      found = instant;
      yield { localTime: new Date(wall).toISOString().slice(0, 16), at: new Date(instant) };
    }
  }
}

/** The first `count` times of a calendar after `after`; fewer if there are no more. */
export function nextOccurrences(calendar: RepeatCalendar, zone: string, after: Date, count: number): Occurrence[] {
  const next: Occurrence[] = [];
  for (const occurrence of occurrencesAfter(calendar, zone, after)) {
    next.push(occurrence);
    if (next.length >= count) break;
  }
  return next;
}
