import type { Repeat, RepeatBody, RepeatCalendar } from '#domain/api/repeats.ts';
import { nextOccurrences, type Occurrence } from '#domain/campaigns/repeats/calendar.ts';
import { parseCron } from '#domain/campaigns/repeats/cron.ts';
import { instantsOf, wallClockOf } from '#web/time/zone.ts';

/** What the dialog has in its fields; those of calendars that are not chosen are kept. */
export interface RepeatForm {
  name: string;
  campaignId: string | null;
  type: RepeatCalendar['type'];
  at: string;
  /** Monday is 1. */
  days: number[];
  day: string;
  expression: string;
  zone: string;
  ends: 'never' | 'until' | 'runs';
  date: string;
  time: string;
  maxRuns: string;
  skipReached: boolean;
}

/** The form of a new repeat, or of one that is changed. @param campaignId what a new one sends, where that is known */
export function repeatForm(repeat: Repeat | null, zone: string, campaignId: string | null = null): RepeatForm {
  const calendar = repeat?.calendar;
  const end = repeat?.until ? wallClockOf(new Date(repeat.until), repeat.zone) : { date: '', time: '23:59' };
  return {
    name: repeat?.name ?? '',
    campaignId: repeat?.campaignId ?? campaignId,
    type: calendar?.type ?? 'weekly',
    at: calendar && 'at' in calendar ? calendar.at : '09:00',
    days: calendar?.type === 'weekly' ? calendar.days : [1],
    day: calendar?.type === 'monthly' ? String(calendar.day) : '1',
    expression: calendar?.type === 'cron' ? calendar.expression : '0 9 * * 1-5',
    zone: repeat?.zone ?? zone,
    ends: repeat?.until ? 'until' : repeat?.maxRuns ? 'runs' : 'never',
    ...end,
    maxRuns: repeat?.maxRuns ? String(repeat.maxRuns) : '10',
    skipReached: repeat?.skipReached ?? false,
  };
}

const wholeNumber = (text: string, most: number): number | null =>
  /^\d{1,5}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= most ? Number(text) : null;

/** Null while something of it is missing or wrong. */
export function calendarOf({ type, at, days, day, expression }: RepeatForm): RepeatCalendar | null {
  if (type === 'cron') return parseCron(expression) ? { type, expression } : null;
  if (!/^\d\d:\d\d$/.test(at)) return null;
  if (type === 'weekly') return days.length > 0 ? { type, at, days: days.toSorted() } : null;
  if (type === 'daily') return { type, at };
  const number = wholeNumber(day, 31);
  return number === null ? null : { type, at, day: number };
}

/** What is sent; null while something is missing or wrong. */
export function bodyOf(form: RepeatForm): RepeatBody | null {
  const calendar = calendarOf(form);
  const until = form.ends === 'until' ? (instantsOf(form, form.zone)?.[0]?.toISOString() ?? null) : null;
  const maxRuns = form.ends === 'runs' ? wholeNumber(form.maxRuns, 10_000) : null;
  const isEnded = { never: true, until: until !== null, runs: maxRuns !== null }[form.ends];
  const { campaignId, zone, skipReached } = form;
  const name = form.name.trim();
  if (calendar === null || !isEnded || campaignId === null || name === '') return null;
  return { name, campaignId, calendar, zone, until, maxRuns, skipReached };
}

/** The next times of what is in the form, before its end. */
export function forecastOf(form: RepeatForm, now: Date): Occurrence[] {
  const calendar = calendarOf(form);
  if (calendar === null) return [];
  const until = bodyOf({ ...form, name: 'n', campaignId: 'c' })?.until ?? null;
  return nextOccurrences(calendar, form.zone, now, 3).filter(({ at }) => until === null || at <= new Date(until));
}
