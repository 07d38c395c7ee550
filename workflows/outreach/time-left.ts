/** Waits that cannot be told from the clock of the workflow server end after this, to look again. */
const AGAIN_MS = 60_000;

/**
 * How long a run waits for a time that a worker decided by its own clock.
 *
 * Where that clock is behind the workflow server's, the time seems to have passed although the worker finds nothing due: then the
 * run waits for as long as the worker said. It may also have been left alone since, hence not for longer than a minute.
 * @param at ISO 8601.
 * @param inMs how far away the worker found it, in milliseconds; undefined in results of earlier releases.
 * @returns milliseconds; 0 or less if it is due.
 */
export function timeLeft(at: string, inMs: number | undefined): number {
  const wait = Date.parse(at) - Date.now();
  if (inMs === undefined) return wait;
  return Math.min(inMs, wait > 0 ? wait : AGAIN_MS);
}
