const MINUTE = 60_000;

/** More than clocks are ever apart, and less than two changes of one zone are. */
const NEAR = 26 * 60 * MINUTE;

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Formats are kept: making one costs more than all that is asked of it here. */
function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  clocks.set(zone, clock);
  return clock;
}

/** What clocks in the zone show, to the minute, as if it were UTC: milliseconds since the epoch. */
export function wallOf(instant: number, zone: string): number {
  const parts = Object.fromEntries(
    clockOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute);
}

const minuteOf = (instant: number): number => Math.floor(instant / MINUTE) * MINUTE;

/** The first minute in which clocks show more than `wall`, which they skip. */
function afterGap(wall: number, zone: string): number {
  let [before, after] = [minuteOf(wall - NEAR), minuteOf(wall + NEAR)];
  while (after - before > MINUTE) {
    const middle = minuteOf((before + after) / 2);
    if (wallOf(middle, zone) > wall) after = middle;
    else before = middle;
  }
  return after;
}

/**
 * When clocks in the zone show `wall` for the first time, in milliseconds since the epoch. A time that they skip is the
 * first moment after the gap.
 */
export function instantOf(wall: number, zone: string): number {
  const offsets = [wall - NEAR, wall + NEAR].map((near) => wallOf(near, zone) - minuteOf(near));
  const found = offsets.map((offset) => wall - offset).filter((instant) => wallOf(instant, zone) === wall);
  return found.length > 0 ? Math.min(...found) : afterGap(wall, zone);
}
