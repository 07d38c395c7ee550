import { setTimeout as delay } from 'node:timers/promises';

/** Waits for `work`, at most until `end` (milliseconds since the epoch); undefined if that passes first. */
export async function within<T>(end: number, work: Promise<T>): Promise<T | undefined> {
  const timer = new AbortController();
  const passed = delay(Math.max(0, end - Date.now()), undefined, { signal: timer.signal }).catch(() => undefined);
  try {
    return await Promise.race([work, passed]);
  } finally {
    timer.abort();
  }
}

/**
 * Concurrent calls with the same key share one promise: fifty parallel pays become one update. `call` can ask whether
 * any of its callers is still waiting (`until`, milliseconds since the epoch).
 */
export function singleFlight<T>() {
  const flying = new Map<string, { result: Promise<T>; wanted: { until: number } }>();
  return (key: string, call: (isWanted: () => boolean) => Promise<T>, until = Infinity): Promise<T> => {
    const found = flying.get(key);
    if (found) {
      found.wanted.until = Math.max(found.wanted.until, until);
      return found.result;
    }
    const wanted = { until };
    const result = call(() => Date.now() < wanted.until).finally(() => flying.delete(key));
    flying.set(key, { result, wanted });
    // Callers that stopped waiting do not see its failure.
    result.catch(() => undefined);
    return result;
  };
}
