/** When an event that its receiver did not accept is sent again. */

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

/** After this long an event is given up. */
export const GIVE_UP_AFTER_MS = 72 * HOUR_MS;

/**
 * The delay after a failed attempt in milliseconds, or null once the event is given up. Each delay is about as long as
 * all the time before it, from a second to an hour, and differs by up to a quarter, so that events that failed together
 * do not come back together. The last attempt is at the very end.
 * @param elapsedMs from the first attempt to this one.
 * @param random from 0 to 1.
 */
export function retryDelayMs(elapsedMs: number, random: number): number | null {
  const left = GIVE_UP_AFTER_MS - elapsedMs;
  if (left <= 0) return null;
  const about = Math.min(Math.max(elapsedMs, SECOND_MS), HOUR_MS);
  return Math.min(Math.round(about * (0.75 + random / 2)), left);
}
