/** The kind of the sweep that a service's workers do by themselves, among what recurs. */
export const SWEEP = 'sweep';

/** Of what else workers do by themselves all the time: sealing the audit log, going on where a drain has died, sending events. */
export const SEALER = 'seal-audit';
export const INBOX_RESCUE = 'rescue-inbox';
export const RELAY = 'relay-events';

/** When a service's sweep last began and when one last came to its end; null: never so far. */
export interface SweepRuns {
  startedAt: Date | null;
  completedAt: Date | null;
}

/**
 * Workers sweep every few seconds, and what a sweep finds is driven at once: after this long without one, nothing that has
 * lost its workflow goes on. In milliseconds.
 */
export const SWEEP_ALLOWED_MS = 120_000;

/** `engine_away`: a worker sweeps and cannot finish, as when the workflow server does not respond. */
export const workerReasons = ['worker_away', 'engine_away'] as const;
export type WorkerReason = (typeof workerReasons)[number];

export interface WorkerTrouble {
  reason: WorkerReason;
  /** Since when; null if no sweep was ever completed. */
  since: Date | null;
}

const isOlder = (time: Date | null, now: Date) => time === null || now.getTime() - time.getTime() > SWEEP_ALLOWED_MS;

/** Why nobody drives anything; null if the worker does. */
export function workerTrouble({ startedAt, completedAt }: SweepRuns, now: Date): WorkerTrouble | null {
  if (!isOlder(completedAt, now)) return null;
  return { reason: isOlder(startedAt, now) ? 'worker_away' : 'engine_away', since: completedAt };
}
