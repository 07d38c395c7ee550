/** Open tasks are polled at intervals up to this; a resting state is checked this often. */
export const SLOWEST_OPEN_MS = 60_000;

/** A campaign is looked at this often where nothing is expected of it before its pace lets the next sub-task be submitted. */
export const SLOWEST_PACED_MS = 15 * 60_000;

/** Tasks that are due within this share of the first interval are polled in one round. */
const ROUNDS_PER_INTERVAL = 4;

/** Milliseconds from a poll of an open task to the next: twice the last interval. */
export const nextInterval = (previous: number, first: number): number =>
  Math.round(Math.min(Math.max(previous * 2, first), SLOWEST_OPEN_MS));

/** Milliseconds from one round of polling to the next, at least. */
export const shortestPause = (firstIntervalMs: number): number => Math.max(10, firstIntervalMs / ROUNDS_PER_INTERVAL);

/** How often a task is polled that ends so long after it was accepted, the poll that sees the end included. */
export function pollsUntil(endMs: number, firstIntervalMs: number): number {
  let polls = 1;
  let interval = firstIntervalMs;
  for (let at = interval; at < endMs; at += interval) {
    interval = nextInterval(interval, firstIntervalMs);
    polls += 1;
  }
  return polls;
}
