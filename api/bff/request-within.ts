import type { Dispatcher, Pool } from 'undici';
import { whenWritten } from '#clients/http/when-written.ts';

type Options = Dispatcher.RequestOptions & { signal: AbortSignal };

/**
 * Requests over a connection of the pool, for which it waits at most so many milliseconds. A request that is written
 * may take as long as it takes.
 * @throws Error if no connection was free in time.
 */
export async function requestWithin(pool: Pool, options: Options, waitMs: number): Promise<Dispatcher.ResponseData> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error('No connection was free in time')), waitMs);
  const stopWaiting = whenWritten(() => {
    clearTimeout(timer);
    return true;
  });
  const signal = AbortSignal.any([options.signal, late.signal]);
  const response = pool.compose(stopWaiting).request({ ...options, signal });
  // undici respects a signal only once it has a connection.
  const lateness = new Promise<never>((_, reject) => {
    late.signal.addEventListener('abort', () => reject(late.signal.reason as Error), { once: true });
  });
  return Promise.race([response, lateness]).finally(() => clearTimeout(timer));
}
