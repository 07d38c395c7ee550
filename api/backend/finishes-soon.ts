import { setTimeout } from 'node:timers/promises';

/** A caller gives up after 60 s. */
const WAIT_MS = 20_000;

/**
 * Whether work that may take minutes is done within 20 s; it continues after that.
 * @param onFailure gets failures after that; earlier ones are thrown.
 */
export async function finishesSoon(work: Promise<void>, onFailure: (error: unknown) => void): Promise<boolean> {
  const waited = new AbortController();
  const outOfTime = setTimeout(WAIT_MS, false, { signal: waited.signal }).catch(() => false);
  const finished = await Promise.race([work.then(() => true), outOfTime]).finally(() => waited.abort());
  if (!finished) work.catch(onFailure);
  return finished;
}
