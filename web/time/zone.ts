const minute = 60_000;
const day = 86_400_000;

/** Minutes by which a zone's wall clocks are ahead of UTC at a moment. */
export function offsetMinutes(zone: string, at: Date): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value);
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return Math.round((wall - Math.floor(at.getTime() / 1000) * 1000) / minute);
}

/** A wall clock reading: `date` as 2026-11-24, `time` as 09:00. */
export interface WallClock {
  date: string;
  time: string;
}

/**
 * The moments at which clocks of a zone show this reading: one on most days, none where a clock change skips it, two where
 * a change repeats it (earlier first). Null where the reading is no date and time at all.
 */
export function momentsOf({ date, time }: WallClock, zone: string): Date[] | null {
  const asUtc = Date.parse(`${date}T${time}:00Z`);
  if (Number.isNaN(asUtc)) return null;
  const offsets = new Set([-day, 0, day].map((shift) => offsetMinutes(zone, new Date(asUtc + shift))));
  return [...offsets]
    .map((offset) => new Date(asUtc - offset * minute))
    .filter((moment) => moment.getTime() + offsetMinutes(zone, moment) * minute === asUtc)
    .sort((one, other) => one.getTime() - other.getTime());
}

/** What clocks of a zone show at a moment. */
export function wallClockOf(moment: Date, zone: string): WallClock {
  const shifted = new Date(moment.getTime() + offsetMinutes(zone, moment) * minute).toISOString();
  return { date: shifted.slice(0, 10), time: shifted.slice(11, 16) };
}

/** The moment at which a day, as 2026-11-24, begins in a zone; null where it is no day. Clocks may skip midnight itself. */
export function startOfDay(date: string, zone: string): Date | null {
  for (const time of ['00:00', '00:30', '01:00']) {
    const moments = momentsOf({ date, time }, zone);
    if (moments === null) return null;
    if (moments[0]) return moments[0];
  }
  return null;
}

/** The day so many days later, or earlier. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * day).toISOString().slice(0, 10);
}
