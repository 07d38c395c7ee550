const HOUR_MS = 3_600_000;

/**
 * Milliseconds of a `Retry-After` in seconds or as a date, at most `longestMs`; null if it is not in the future:
 * with clock differences a date may already have passed, and retrying immediately would never end.
 */
export function retryAfterMs(header: string | null | undefined, now: number, longestMs = HOUR_MS): number | null {
  if (header === undefined || header === null || header.trim() === '') return null;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, longestMs) : null;
}
