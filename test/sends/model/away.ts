import { isDatabaseUnavailable } from '#db/errors.ts';
import type { Clock } from './clock.ts';

/** As long as whoever calls the service waits until they call again. */
const CALLED_AGAIN_AFTER_MS = 5000;

/** What somebody is told whose request the database did not take. */
export function unlessAway(error: unknown): 'away' {
  const { cause } = error as { cause?: unknown };
  if (isDatabaseUnavailable(error) || isDatabaseUnavailable(cause)) return 'away';
  throw error;
}

/** Does it again and again until the database has taken it. */
export async function onceWritable<Result extends object | void>(
  clock: Clock,
  work: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const result = await work().catch(unlessAway);
    if (result !== 'away') return result;
    await clock.sleep(CALLED_AGAIN_AFTER_MS);
  }
}
