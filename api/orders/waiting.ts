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

/** Concurrent calls with the same key share one promise: fifty parallel pays become one update. */
export function singleFlight<T>() {
  const flying = new Map<string, Promise<T>>();
  return (key: string, call: () => Promise<T>): Promise<T> => {
    const found = flying.get(key);
    if (found) return found;
    const flight = call().finally(() => flying.delete(key));
    flying.set(key, flight);
    // Callers that stopped waiting do not see its failure.
    flight.catch(() => undefined);
    return flight;
  };
}
