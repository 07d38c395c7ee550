import { ApplicationFailure, Context } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import { type DueTask, dueTasks, type PollState } from '#db/outreach/sends/polling.ts';
import { finishRound } from '#commands/outreach/sends/finish-round.ts';
import type { CampaignStatus } from '#domain/api/campaign.ts';
import { endSourcesIfCancelled } from '../entry-sources/end.ts';
import { withHeartbeat } from '../concurrency.ts';
import { withJitter } from '#activities/jitter.ts';
import type { CampaignRef, OutreachDeps } from '../deps.ts';
import { cancelScheduledTasks } from './cancel.ts';
import { wakeSends } from './drive.ts';
import { SLOWEST_OPEN_MS, SLOWEST_PACED_MS, shortestPause } from '#domain/campaigns/polling.ts';
import { callInTurn, type PollRun } from './poll-run.ts';
import { storeFailure, storeReport } from './report.ts';

const BATCH_SIZE = 200;

export interface PollInput extends CampaignRef {
  /** The status that the workflow knows; a different one ends the activity, so that the workflow can show it. */
  status: CampaignStatus | null;
}

export interface PollResult {
  status: CampaignStatus | null;
  /** Nothing is left to poll. */
  done: boolean;
}

async function pollTask(deps: OutreachDeps, run: PollRun, task: DueTask): Promise<void> {
  const outcome = await deps.gateway.readTask(run.credentials, task);
  const polling = { database: deps.database, firstIntervalMs: deps.settings.POLL_INTERVAL_MS };
  if (outcome.kind === 'accepted') await storeReport(polling, run, task, outcome.value);
  else await storeFailure(polling, run, task, outcome);
}

/** Milliseconds until sub-tasks that wait to be submitted may have a task. */
function untilSettled(
  { status, pacedUntil }: PollState,
  { now, firstIntervalMs }: { now: Date; firstIntervalMs: number },
): number {
  if (pacedUntil && ['sending', 'scheduled'].includes(status))
    return Math.min(pacedUntil.getTime() - now.getTime() + firstIntervalMs, SLOWEST_PACED_MS);
  return status === 'sending' ? firstIntervalMs : SLOWEST_OPEN_MS;
}

/** Milliseconds until something is due; null if nothing will be. */
export function delayOf(
  state: PollState,
  { now, firstIntervalMs }: { now: Date; firstIntervalMs: number },
): number | null {
  const candidates: number[] = [];
  const until = (time: Date) => Math.max(time.getTime() - now.getTime(), 0);
  if (state.nextPollAt) candidates.push(until(state.nextPollAt));
  if (state.startsAt && ['scheduled', 'paused'].includes(state.status)) candidates.push(until(state.startsAt));
  if (state.unsettled > 0) candidates.push(untilSettled(state, { now, firstIntervalMs }));
  if (state.unknown > 0) candidates.push(SLOWEST_OPEN_MS);
  if (state.cancelling > 0 || state.edited) candidates.push(firstIntervalMs);
  return candidates.length === 0 ? null : Math.max(Math.min(...candidates), shortestPause(firstIntervalMs));
}

/** Cancels what must be cancelled of a campaign at the platform (A3), and asks for its tasks that are due (A2). */
export async function pollDue(
  deps: OutreachDeps,
  { tenantId, campaignId }: CampaignRef,
  cancelled: AbortSignal,
): Promise<void> {
  const credentials = deps.pacing.credentials(tenantId);
  const run = (): PollRun => ({ tenantId, campaignId, credentials, now: deps.now() });
  await cancelScheduledTasks(deps, run, cancelled);
  while (!cancelled.aborted && !deps.pacing.pausedUntil(tenantId)) {
    const tasks = await dueTasks(deps.database, { ...run(), limit: BATCH_SIZE });
    await callInTurn(deps, { tenantId, tasks, signal: cancelled }, (task) => pollTask(deps, run(), task));
    if (tasks.length < BATCH_SIZE) break;
  }
}

async function pollOnce(deps: OutreachDeps, input: PollInput, cancelled: AbortSignal): Promise<PollResult> {
  const { tenantId, campaignId } = input;
  await pollDue(deps, input, cancelled);
  if (cancelled.aborted) await Context.current().cancelled;
  const state = await finishRound(deps.database, { tenantId, campaignId, now: deps.now() });
  // An uninstalled tenant's tasks are no longer polled.
  if (!state?.active) return { status: state?.status ?? null, done: true };
  // What follows the tasks is this activity, which a signal would cancel.
  if (state.resubmitted) await wakeSends(deps, { tenantId, campaignId, status: state.status });
  if (state.status !== input.status) await endSourcesIfCancelled(deps, { tenantId, campaignId, status: state.status });
  const now = deps.now();
  const due = delayOf(state, { now, firstIntervalMs: deps.settings.POLL_INTERVAL_MS });
  const pausedUntil = deps.pacing.pausedUntil(tenantId);
  const pauseMs = pausedUntil ? withJitter(pausedUntil.getTime() - now.getTime()) : 0;
  const delay = due === null ? null : Math.max(due, pauseMs);
  if (delay === null) return { status: state.status, done: true };
  if (state.status !== input.status) return { status: state.status, done: false };
  throw pollAgain(delay);
}

/** A retry waits in the server without adding to the history, however long polling takes. */
function pollAgain(delayMs: number): ApplicationFailure {
  return ApplicationFailure.create({
    message: `Not an error, just a pause: polls again in ${Math.round(delayMs / 1000)} s`,
    type: 'PollAgain',
    nextRetryDelay: delayMs,
    category: ApplicationFailureCategory.BENIGN,
  });
}

export function createPollActivities(deps: OutreachDeps) {
  return {
    /** Polls what is due (A2), and cancels what must be cancelled (A3); ends when the campaign's status changes. */
    pollTasks: (input: PollInput): Promise<PollResult> =>
      withHeartbeat((cancelled) => pollOnce(deps, input, cancelled)),
  };
}
