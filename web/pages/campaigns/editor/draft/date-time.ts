import { instantsOf, wallClockOf } from '#web/time/zone.ts';

export interface DraftDateTime {
  date: string;
  time: string;
  zone: string;
  /** Which of two instants is meant, if clocks show the reading twice. */
  second: boolean;
}

/** When a campaign starts. */
export interface DraftStart extends DraftDateTime {
  /** The audience is resolved then, not when the campaign is sent. */
  atStart: boolean;
}

/** The instant of a reading; null if it is incomplete, or skipped by a clock change. */
export function instantOf({ date, time, zone, second }: DraftDateTime): Date | null {
  const instants = instantsOf({ date, time }, zone);
  return (second ? instants?.at(-1) : instants?.[0]) ?? null;
}

const HOUR_MS = 3_600_000;

/** The first full hour that is at least so many hours after an instant, as a suggestion. */
export const fullHourAfter = (from: Date, hours: number, zone: string): DraftDateTime =>
  readingOf(new Date((Math.ceil(from.getTime() / HOUR_MS) + hours) * HOUR_MS).toISOString(), zone);

/** An instant as a reading in a zone. */
export function readingOf(at: string, zone: string): DraftDateTime {
  const instant = new Date(at);
  const clock = wallClockOf(instant, zone);
  const first = instantsOf(clock, zone)?.[0];
  return { ...clock, zone, second: first !== undefined && first.getTime() < instant.getTime() - 59_999 };
}
