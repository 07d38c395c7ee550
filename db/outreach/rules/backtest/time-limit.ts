import { Problem } from '#domain/api/problem.ts';
import { rows, type Transaction } from '#db/database.ts';

/** Callers give up after 60 s. */
const LONGEST_SECONDS = 50;

/** How much longer somebody waits for a backtest. */
export interface TimeLimit {
  /** Milliseconds until the work must have ended; negative if it is late. */
  leftMs: () => number;
  /** Aborted once the caller has left, so that nobody needs the result. */
  callerLeft?: AbortSignal;
}

/** The limit of a backtest that begins now. */
export function timeLimit(callerLeft?: AbortSignal): TimeLimit {
  const end = performance.now() + LONGEST_SECONDS * 1000;
  return { leftMs: () => end - performance.now(), ...(callerLeft && { callerLeft }) };
}

export const outOfTime = (cause?: unknown) =>
  new Problem('too_large', `The backtest did not end within ${LONGEST_SECONDS} s; choose a shorter period`, { cause });

/**
 * Lets each of the next statements, `count` at most, take an equal share of the time that is left: even if each takes
 * all of its share, they end in time.
 * @throws Problem `too_large` if no time is left, `unavailable` if the caller has left.
 */
export async function shareTimeLeft(
  transaction: Transaction,
  { leftMs, callerLeft }: TimeLimit,
  count: number,
): Promise<void> {
  if (callerLeft?.aborted) throw new Problem('unavailable', 'The caller has left');
  const share = Math.floor(leftMs() / count);
  // For PostgreSQL, 0 is no limit at all.
  if (share < 1) throw outOfTime();
  await rows(transaction, `select set_config('statement_timeout', :share, true)`, { share: String(share) });
}
