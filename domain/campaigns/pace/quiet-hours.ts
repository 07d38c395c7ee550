import type { QuietHours } from '#domain/api/pace.ts';
import { wallOf } from '../wall-clock.ts';

const MINUTE = 60_000;
const DAY_MINUTES = 24 * 60;

/** Minutes since midnight of a reading such as 21:30. */
function minutesOf(reading: string): number {
  const [hours, minutes] = reading.split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** Minutes since midnight that clocks in the zone show. */
const wallMinutes = (at: number, zone: string): number => (wallOf(at, zone) / MINUTE) % DAY_MINUTES;

/** Whether clocks in the zone show a time within the hours, from `from` on and before `to`. */
export function isQuiet({ from, to, zone }: QuietHours, at: Date): boolean {
  const [wall, start, end] = [wallMinutes(at.getTime(), zone), minutesOf(from), minutesOf(to)];
  return start < end ? wall >= start && wall < end : wall >= start || wall < end;
}

/**
 * The first full minute after `at` in which it is quiet if it was not, or the other way round. Clocks that are changed
 * meanwhile may skip or repeat the reading that is sought: then minutes are looked at one by one.
 */
export function nextChange(quiet: QuietHours, at: Date): Date {
  const was = isQuiet(quiet, at);
  const sought = minutesOf(was ? quiet.to : quiet.from);
  const minute = Math.floor(at.getTime() / MINUTE);
  const wait = (sought - wallMinutes(at.getTime(), quiet.zone) + DAY_MINUTES) % DAY_MINUTES;
  const expected = (minute + wait) * MINUTE;
  if (wait > 0 && wallMinutes(expected, quiet.zone) === sought) return new Date(expected);
  let next = minute + 1;
  while (isQuiet(quiet, new Date(next * MINUTE)) === was) next += 1;
  return new Date(next * MINUTE);
}

/** `at`, or when it is no longer quiet. */
export function nextOpen(quiet: QuietHours | undefined, at: Date): Date {
  return quiet && isQuiet(quiet, at) ? nextChange(quiet, at) : at;
}
