import type { Pace } from '#domain/api/pace.ts';
import { nextDue } from './pace.ts';
import { nextOpen } from './quiet-hours.ts';

const MINUTE = 60_000;

/** Where a send with a pace stands. */
export interface PacedSend {
  pace: Pace;
  createdAt: Date;
  /** When the next sub-task of its campaign may be submitted by the rate; null before the first. */
  pacedUntil: Date | null;
  scheduledAt: Date | null;
  /** When the rest was kept back at the deadline, which an operator then has overruled. */
  deadlineOverAt: Date | null;
  /** Contacts that wait to be submitted. */
  left: number;
}

/** The first moment from `from` on at which the next sub-task may be submitted; any campaign without a pace has it at its start. */
export function dueOf(
  { pace, pacedUntil, scheduledAt }: Pick<PacedSend, 'pacedUntil' | 'scheduledAt'> & { pace: Pace | null },
  from: Date,
): Date {
  const earliest = Math.max(pacedUntil?.getTime() ?? 0, scheduledAt?.getTime() ?? 0, from.getTime());
  return nextOpen(pace?.quietHours, new Date(earliest));
}

/** The deadline that still counts; null if there is none. A send that was asked for after it is not bound by it. */
export function deadlineOf({ pace, createdAt, deadlineOverAt }: PacedSend): Date | null {
  const deadline = pace.deadline === undefined ? null : new Date(pace.deadline);
  return deadline === null || deadlineOverAt !== null || createdAt >= deadline ? null : deadline;
}

/**
 * How late a sub-task may be made up for, if each takes so many milliseconds: with more, a minute could have more than what the
 * rate allows and one sub-task.
 */
const madeUpFor = (takes: number) => takes * (Math.floor(MINUTE / takes) + 1) - MINUTE;

/**
 * When the sub-task after one of so many contacts may be submitted. A process that comes a little late makes up for it, otherwise
 * each wait would make the rate slower; after more than a minute it does not.
 */
export function dueAfter({ pace, pacedUntil, left }: PacedSend, submitted: number, now: Date): Date {
  const next = nextDue(pace, now, { submitted, left });
  const takes = next.getTime() - now.getTime();
  if (takes === 0 || pacedUntil === null || now.getTime() - pacedUntil.getTime() >= MINUTE) return next;
  const from = new Date(Math.max(pacedUntil.getTime(), now.getTime() - madeUpFor(takes)));
  return nextDue(pace, from, { submitted, left });
}
