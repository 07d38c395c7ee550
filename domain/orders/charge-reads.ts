const FIRST_MS = 10_000;
const LONGEST_MS = 5 * 60_000;

/**
 * How long after the charge was made, or last read, a pending charge is read from the gateway again, in milliseconds:
 * 10 s, 20 s, 40 s, …, at most 5 minutes. Contract, orders, point 3.
 * @param reads how often it was read before.
 */
export function nextReadAfterMs(reads: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(reads, 10));
}
