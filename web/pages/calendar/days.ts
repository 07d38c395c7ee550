import { addDays } from '#web/time/zone.ts';

export const views = ['month', 'week'] as const;
export type View = (typeof views)[number];

/** Monday is 0. */
const weekdayOf = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;

const mondayOf = (day: string): string => addDays(day, -weekdayOf(day));

const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`;

/** The first day of the month after, or before. */
const otherMonth = (day: string, by: 1 | -1): string =>
  firstOfMonth(by === 1 ? addDays(firstOfMonth(day), 31) : addDays(firstOfMonth(day), -1));

/** The days that a view around a day shows: whole weeks from Monday on. */
export function daysOf(view: View, day: string): string[] {
  const first = mondayOf(view === 'week' ? day : firstOfMonth(day));
  const last = view === 'week' ? first : mondayOf(addDays(otherMonth(day, 1), -1));
  const days: string[] = [];
  for (let one = first; one < addDays(last, 7); one = addDays(one, 1)) days.push(one);
  return days;
}

/** A day of the view after, or before. */
export const turned = (view: View, day: string, by: 1 | -1): string =>
  view === 'week' ? addDays(day, 7 * by) : otherMonth(day, by);
