/** How often a Schedule offers to start a sweep; while a run is under way, none is started. */
export const sweepStartsEveryMs = 60_000;

/** A run of a sweep looks at the rows in rounds, on the clock's own multiples of `everyMs`. */
export interface SweepRounds {
  /** Divides a minute. */
  everyMs: number;
  /** The run lasts this long, and then to the last round before the Schedule's next start. */
  forMs: number;
}

/** A quarter of an hour: a hundred runs a day, of less than a thousand events each. */
export const sweepRunMs = 15 * 60_000;

/** More than a run with failing rounds lasts. */
export const sweepLongest = '30 minutes';
