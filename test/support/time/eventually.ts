import { setTimeout } from 'node:timers/promises';

export interface EventuallyOptions {
  /** When to give up. */
  timeoutMs?: number;
  /** Always as long; without it, longer and longer, since what does not come soon is mostly waited for by something busy. */
  intervalMs?: number;
}

const FIRST_MS = 25;
const LONGEST_MS = 250;
const GROWTH = 1.4;

/**
 * Waits until `check` neither throws nor returns `false` or `undefined`, and returns its result.
 * @throws Error with `what` and the last failure once the time is up.
 */
export async function eventually<T>(
  what: string,
  check: () => T | Promise<T>,
  { timeoutMs = 45_000, intervalMs }: EventuallyOptions = {},
): Promise<Exclude<T, false | undefined>> {
  const end = Date.now() + timeoutMs;
  for (let pause = FIRST_MS; ; pause = Math.min(LONGEST_MS, pause * GROWTH)) {
    let failure: unknown;
    try {
      const result = await check();
      if (result !== false && result !== undefined) return result as Exclude<T, false | undefined>;
    } catch (error) {
      failure = error;
    }
    if (Date.now() >= end) {
      const reason = failure instanceof Error ? `: ${failure.message}` : '';
      throw new Error(`Timed out after ${timeoutMs} ms: ${what}${reason}`, { cause: failure });
    }
    await setTimeout(intervalMs ?? pause);
  }
}
