import { ApplicationFailure, Context } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import {
  type DueTask,
  dueTasks,
  finishRound,
  type NextPoll,
  type PollState,
  postponePoll,
  recordLostTask,
  recordReport,
} from '../../../db/outreach/sends/polling.ts';
import type { CampaignStatus } from '../../../domain/api/campaign.ts';
import { hasEnded, nextTaskStatus, type PlatformTaskStatus } from '../../../domain/campaigns/states.ts';
import type { PlatformTaskReport } from '../../../clients/platform/gateway.ts';
import type { Failure } from '../../../clients/platform/outcome.ts';
import { forEachLimited, withHeartbeat } from '../concurrency.ts';
import { type CampaignRef, credentialSource, type OutreachDeps } from '../deps.ts';
import { cancelScheduledTasks } from './cancel.ts';
import { CALLS_AT_ONCE, type PollRun, SLOWEST_OPEN_MS } from './poll-run.ts';

/** Reads still arrive after a task has ended: polled at growing intervals, for a day. */
const SLOWEST_ENDED_MS = 3_600_000;
const READS_COME_FOR_MS = 24 * 3_600_000;

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

/** When a task in this state is polled again. */
export function nextPoll(
  task: { pollIntervalMs: number | null; pollUntil: Date | null },
  state: { status: PlatformTaskStatus; sent: number | null; finishedAt: Date },
  { now, firstIntervalMs }: { now: Date; firstIntervalMs: number },
): NextPoll {
  const previous = task.pollIntervalMs ?? firstIntervalMs / 2;
  if (!hasEnded(state.status)) {
    const pollIntervalMs = Math.round(Math.min(Math.max(previous * 2, firstIntervalMs), SLOWEST_OPEN_MS));
    return { pollIntervalMs, nextPollAt: new Date(now.getTime() + pollIntervalMs), pollUntil: null };
  }
  const pollUntil = task.pollUntil ?? new Date(state.finishedAt.getTime() + READS_COME_FOR_MS);
  const pollIntervalMs = Math.min(Math.max(previous * 2, SLOWEST_OPEN_MS), SLOWEST_ENDED_MS);
  const nextPollAt = new Date(now.getTime() + pollIntervalMs);
  // What was never sent is never read.
  const over = nextPollAt > pollUntil || state.sent === 0;
  return { pollIntervalMs, nextPollAt: over ? null : nextPollAt, pollUntil };
}

const dateOf = (text: string | null | undefined): Date | null => (text ? new Date(text) : null);

/** If the id now belongs to another task, its counts and times do, too. */
const partOf = ({ status, ...rest }: PlatformTaskReport, { holdsTaskId }: DueTask): PlatformTaskReport =>
  holdsTaskId ? { status, ...rest } : { status };

async function storeReport(
  deps: OutreachDeps,
  run: PollRun,
  task: DueTask,
  reported: PlatformTaskReport,
): Promise<void> {
  const report = partOf(reported, task);
  const status = nextTaskStatus(task.status, report.status);
  const { sent = null, delivered = null, failed = null, read = null } = report.summary ?? {};
  const finishedAt = hasEnded(status) ? (dateOf(report.finishedAt) ?? task.finishedAt ?? run.now) : null;
  const next = nextPoll(
    task,
    { status, sent, finishedAt: finishedAt ?? run.now },
    { now: run.now, firstIntervalMs: deps.settings.POLL_INTERVAL_MS },
  );
  await recordReport(
    deps.database,
    { tenantId: run.tenantId, key: task.key, taskId: task.taskId },
    {
      status,
      recipientCount: report.recipientCount ?? null,
      summary: { sent, delivered, failed, read },
      startedAt: dateOf(report.startedAt),
      finishedAt,
    },
    hasEnded(status) && !task.holdsTaskId ? { ...next, nextPollAt: null } : next,
  );
}

/** Retried later. A task that the platform does not know may still appear there, but not forever. */
async function storeFailure(deps: OutreachDeps, run: PollRun, task: DueTask, failure: Failure): Promise<void> {
  const { tenantId, now } = run;
  const missing = failure.kind === 'rejected' && failure.status === 404;
  const code = missing ? 'task_not_found' : failure.kind === 'rejected' ? failure.code : null;
  const first = deps.settings.POLL_INTERVAL_MS;
  const repeated = code !== null && code === task.errorCode;
  const previous = code === null || repeated ? (task.pollIntervalMs ?? first / 2) : first / 2;
  if (missing && repeated && previous >= SLOWEST_OPEN_MS && !hasEnded(task.status)) {
    return await recordLostTask(deps.database, { tenantId, key: task.key, now });
  }
  const slowest = hasEnded(task.status) ? SLOWEST_ENDED_MS : SLOWEST_OPEN_MS;
  const pollIntervalMs =
    failure.kind === 'unauthorized' ? SLOWEST_OPEN_MS : Math.round(Math.min(Math.max(previous * 2, first), slowest));
  const wait = Math.max(pollIntervalMs, failure.kind === 'retryable' ? (failure.retryAfterMs ?? 0) : 0);
  const message = code === null ? null : failure.message.slice(0, 1000);
  const nextPollAt = new Date(now.getTime() + wait);
  await postponePoll(deps.database, { tenantId, key: task.key }, { nextPollAt, pollIntervalMs, code, message });
}

async function pollTask(deps: OutreachDeps, run: PollRun, task: DueTask): Promise<void> {
  const outcome = await deps.gateway.readTask(run.credentials, task);
  if (outcome.kind === 'accepted') await storeReport(deps, run, task, outcome.value);
  else await storeFailure(deps, run, task, outcome);
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
  if (state.unsettled > 0) candidates.push(state.status === 'sending' ? firstIntervalMs : SLOWEST_OPEN_MS);
  if (state.unknown > 0) candidates.push(SLOWEST_OPEN_MS);
  if (state.cancelling > 0) candidates.push(firstIntervalMs);
  return candidates.length === 0 ? null : Math.max(Math.min(...candidates), 10);
}

async function pollOnce(deps: OutreachDeps, input: PollInput, cancelled: AbortSignal): Promise<PollResult> {
  const { tenantId, campaignId } = input;
  const credentials = credentialSource(deps, tenantId);
  const run = (): PollRun => ({ tenantId, campaignId, credentials, now: deps.now() });
  await cancelScheduledTasks(deps, run);
  while (!cancelled.aborted) {
    const due = await dueTasks(deps.database, { ...run(), limit: BATCH_SIZE });
    await forEachLimited(due, CALLS_AT_ONCE, (task) => pollTask(deps, run(), task));
    if (due.length < BATCH_SIZE) break;
  }
  if (cancelled.aborted) await Context.current().cancelled;
  const state = await finishRound(deps.database, { tenantId, campaignId, now: deps.now() });
  // An uninstalled tenant's tasks are no longer polled.
  if (!state?.active) return { status: state?.status ?? null, done: true };
  const delay = delayOf(state, { now: deps.now(), firstIntervalMs: deps.settings.POLL_INTERVAL_MS });
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
