import { setMaxListeners } from 'node:events';
import { Context } from '@temporalio/activity';

/**
 * Runs `work` on every item, at most `limit` at a time. Like p-map, except that everything has finished before the
 * first failure is thrown: a failed activity must not continue writing.
 */
export async function forEachLimited<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  await runLanes(limit, async () => {
    for (const item of queue) await work(item);
  });
}

/** Runs `limit` lanes concurrently, and waits for all of them before the first failure is thrown. */
export async function runLanes(limit: number, lane: () => Promise<void>): Promise<void> {
  const results = await Promise.allSettled(Array.from({ length: limit }, lane));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

const HEARTBEAT_EVERY_MS = 2000;

/**
 * Heartbeats while `work` runs; the server detects a dead process by missing heartbeats. `details`, if given, reach the
 * next attempt.
 */
export async function withHeartbeat<T>(
  work: (cancelled: AbortSignal) => Promise<T>,
  { details, everyMs = HEARTBEAT_EVERY_MS }: { details?: () => unknown; everyMs?: number } = {},
): Promise<T> {
  const context = Context.current();
  // As many calls may wait for it as the activity makes at a time.
  setMaxListeners(0, context.cancellationSignal);
  const timer = setInterval(() => context.heartbeat(details?.()), everyMs);
  try {
    return await work(context.cancellationSignal);
  } finally {
    clearInterval(timer);
  }
}

/** Identifies this attempt of this activity, for rows that only one attempt may write. */
export function attemptOwner(): string {
  const { workflowExecution, activityId, attempt } = Context.current().info;
  return `${workflowExecution?.runId ?? 'none'}/${activityId}/${attempt}`;
}

/** Doubles from `first` with each attempt (1, 2, …) up to `most`. */
export function backoffMs(attempt: number, first: number, most: number): number {
  return Math.min(most, first * 2 ** Math.min(attempt - 1, 20));
}
