import type { AutomationTrigger } from '../api/automations.ts';
import { instantOf, wallOf } from '../campaigns/wall-clock.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** A trigger whose causes are moments. */
export type TimedTrigger = Extract<AutomationTrigger, { event: 'date' | 'segment.entered' }>;

export const isTimed = (trigger: AutomationTrigger): trigger is TimedTrigger =>
  trigger.event === 'date' || trigger.event === 'segment.entered';

/** The first moment after `after` at which clocks in the zone show the time of day. */
function nextAtWall(at: string, zone: string, after: Date): Date {
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  const midnight = Math.floor(wallOf(after.getTime(), zone) / DAY_MS) * DAY_MS;
  const time = (hours * 60 + minutes) * 60_000;
  const moments = [-1, 0, 1, 2].map((days) => instantOf(midnight + days * DAY_MS + time, zone));
  return new Date(moments.find((moment) => moment > after.getTime()) ?? after.getTime() + DAY_MS);
}

/** When contacts enter next by a date or a segment, after `after`; `lookMs` is the interval of segments for tests. */
export function nextLookOf(trigger: TimedTrigger, after: Date, lookMs: number | null): Date {
  if (trigger.event === 'date') return nextAtWall(trigger.at, trigger.zone, after);
  if (lookMs !== null) return new Date(after.getTime() + lookMs);
  if (trigger.every === 'day') return nextAtWall(trigger.at ?? '00:00', trigger.zone ?? 'UTC', after);
  return new Date((Math.floor(after.getTime() / HOUR_MS) + 1) * HOUR_MS);
}

const textOf = (day: number) => new Date(day).toISOString().slice(0, 10);

/** The local day that is met at a moment, as 2026-11-26. */
export const dayAt = (moment: Date, zone: string): string => textOf(wallOf(moment.getTime(), zone));

const isLeapYear = (year: number) => new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;

/**
 * How values begin, or what follows their year, of contacts that enter on a local day: the date is so many days before it. February
 * 29 is the 28th in other years.
 */
export function datesOn(
  day: string,
  { offsetDays, yearly }: { offsetDays: number; yearly: boolean },
): { dates: string[] } | { monthDays: string[] } {
  const date = textOf(Date.parse(day) - offsetDays * DAY_MS);
  if (!yearly) return { dates: [date] };
  const monthDay = date.slice(5);
  const withLeapDay = monthDay === '02-28' && !isLeapYear(Number(date.slice(0, 4)));
  return { monthDays: withLeapDay ? [monthDay, '02-29'] : [monthDay] };
}
