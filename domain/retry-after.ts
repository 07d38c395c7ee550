const HOUR_MS = 3_600_000;

/**
 * Milliseconds of a `Retry-After` in seconds or as a date, at most `longestMs`; null where it names no time to come: with
 * clocks that differ a date may be past already, and asking again at once would not end.
 */
export function retryAfterMs(header: string | null | undefined, now: number, longestMs = HOUR_MS): number | null {
  if (header === undefined || header === null || header.trim() === '') return null;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, longestMs) : null;
}
