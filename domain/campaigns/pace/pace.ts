import type { Pace, QuietHours } from '#domain/api/pace.ts';
import { isQuiet, nextChange, nextOpen } from './quiet-hours.ts';

const MINUTE = 60_000;

/** The most contacts that one sub-task may have (S0, Limits). */
export const MOST_CONTACTS_PER_SUB_TASK = 1000;

/** Quiet hours are looked at for so many days ahead, so that no wish is expensive; after that time counts as open. */
const MOST_DAYS = 400;

/** The moment at which so many milliseconds outside of quiet hours have passed since `from`; it is not a quiet one. */
export function afterOpenTime(quiet: QuietHours | undefined, from: Date, milliseconds: number): Date {
  if (!quiet) return new Date(from.getTime() + milliseconds);
  let at = nextOpen(quiet, from);
  let left = milliseconds;
  for (let day = 0; day < MOST_DAYS; day += 1) {
    const closes = nextChange(quiet, at);
    const open = closes.getTime() - at.getTime();
    if (left < open) break;
    left -= open;
    at = nextChange(quiet, closes);
  }
  return new Date(at.getTime() + left);
}

/** Milliseconds between two moments that are not in quiet hours. */
export function openTimeBetween(quiet: QuietHours | undefined, from: Date, to: Date): number {
  if (!quiet) return Math.max(0, to.getTime() - from.getTime());
  let [at, open] = [from, 0];
  for (let changes = 0; at < to && changes < 2 * MOST_DAYS; changes += 1) {
    const change = nextChange(quiet, at);
    if (!isQuiet(quiet, at)) open += Math.min(change.getTime(), to.getTime()) - at.getTime();
    at = change;
  }
  return open + Math.max(0, to.getTime() - at.getTime());
}

/** Contacts a minute from `from` on, if `contacts` are left; infinite without a rate, and once the time for them is over. */
export function rateOf({ perMinute, evenlyUntil, quietHours }: Pace, from: Date, contacts: number): number {
  if (perMinute !== undefined) return perMinute;
  if (evenlyUntil === undefined) return Infinity;
  const minutes = openTimeBetween(quietHours, from, new Date(evenlyUntil)) / MINUTE;
  return minutes === 0 ? Infinity : contacts / minutes;
}

/** How many contacts a sub-task of the send has at most: about those of a minute, so that no minute waits for another's. */
export function subTaskSize(pace: Pace | null, from: Date, contacts: number): number {
  if (!pace) return MOST_CONTACTS_PER_SUB_TASK;
  const rate = rateOf(pace, nextOpen(pace.quietHours, from), contacts);
  return Math.max(1, Math.ceil(Math.min(MOST_CONTACTS_PER_SUB_TASK, rate)));
}

/**
 * When the next contacts may be submitted.
 * @param submitted contacts that are submitted at `at`, the moment they were due.
 * @param left contacts that were still to be submitted then, these included.
 */
export function nextDue(pace: Pace, at: Date, { submitted, left }: { submitted: number; left: number }): Date {
  const rate = rateOf(pace, at, left);
  const milliseconds = rate === Infinity ? 0 : Math.round((submitted / rate) * MINUTE);
  return afterOpenTime(pace.quietHours, at, milliseconds);
}

/** How a send goes on if nothing delays it. */
export interface PaceForecast {
  /** When the last contacts are submitted. */
  endsAt: Date;
  /** Contacts that the deadline keeps back. */
  keptBack: number;
}

/** @param contacts those to be submitted from `from` on. */
export function forecastOf(pace: Pace, from: Date, contacts: number): PaceForecast {
  const start = nextOpen(pace.quietHours, from);
  const rate = rateOf(pace, start, contacts);
  const last = Math.max(0, contacts - Math.min(MOST_CONTACTS_PER_SUB_TASK, Math.ceil(rate)));
  const endsAt = rate === Infinity ? start : afterOpenTime(pace.quietHours, start, (last / rate) * MINUTE);
  const deadline = pace.deadline === undefined ? null : new Date(pace.deadline);
  if (deadline === null || endsAt < deadline) return { endsAt, keptBack: 0 };
  const minutes = openTimeBetween(pace.quietHours, start, deadline) / MINUTE;
  const submitted = minutes === 0 ? 0 : Math.min(contacts, Math.ceil(minutes * rate));
  return { endsAt: deadline, keptBack: contacts - submitted };
}
