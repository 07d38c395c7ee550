import { callFailureOf } from '#clients/platform/outcome.ts';
import { type DueTask, recordCancelled, recordNotCancelled, tasksToCancel } from '#db/outreach/sends/polling.ts';
import { withJitter } from '#activities/jitter.ts';
import type { OutreachDeps } from '../deps.ts';
import { SLOWEST_OPEN_MS } from '#domain/campaigns/polling.ts';
import { callInTurn, type PollRun } from './poll-run.ts';
import { firstSlowPoll } from './report.ts';

/** A3 for one scheduled task; retried until the platform has said yes or no. */
async function cancelTask(deps: OutreachDeps, run: PollRun, task: DueTask): Promise<void> {
  const outcome = await deps.gateway.cancelTask(run.credentials, task);
  const row = { tenantId: run.tenantId, key: task.key, now: run.now };
  const status = outcome.kind === 'accepted' ? outcome.value.status : outcome.kind === 'rejected' && outcome.taskStatus;
  if (status === 'cancelled') return await recordCancelled(deps.database, row, firstSlowPoll(run.now));
  // It is no longer scheduled: polling finds out its state instead.
  if (outcome.kind === 'accepted' || (outcome.kind === 'rejected' && outcome.status === 409))
    return await recordNotCancelled(deps.database, row, { nextAttemptAt: null, failure: null });
  const wait = outcome.kind === 'retryable' ? (outcome.retryAfterMs ?? 0) : 0;
  const least =
    outcome.kind === 'rejected' || outcome.kind === 'unauthorized' ? SLOWEST_OPEN_MS : deps.settings.POLL_INTERVAL_MS;
  const nextAttemptAt = new Date(run.now.getTime() + withJitter(Math.max(wait, least)));
  const failure = outcome.kind === 'rejected' ? 'error' : callFailureOf(outcome);
  await recordNotCancelled(deps.database, row, { nextAttemptAt, failure });
}

/** Cancels the scheduled tasks of a cancelled campaign at the platform (A3). */
export async function cancelScheduledTasks(deps: OutreachDeps, run: () => PollRun, signal: AbortSignal): Promise<void> {
  const first = run();
  const tasks = await tasksToCancel(deps.database, first);
  await callInTurn(deps, { tenantId: first.tenantId, tasks, signal }, (task) => cancelTask(deps, run(), task));
}
