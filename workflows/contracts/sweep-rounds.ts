/** How often a Schedule tries to start a sweep; it starts none while a run is in progress. */
export const sweepStartsEveryMs = 60_000;

/** A sweep run reads the rows in rounds, aligned to multiples of `everyMs` on the clock. */
export interface SweepRounds {
  /** Divides a minute. */
  everyMs: number;
  /** The run lasts this long, then continues to the last round before the Schedule's next start. */
  forMs: number;
}

/** 15 minutes: about a hundred runs a day, each with fewer than a thousand history events. */
export const sweepRunMs = 15 * 60_000;

/** Longer than a run whose rounds fail can take. */
export const sweepLongest = '30 minutes';
