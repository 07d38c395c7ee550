import type { PlatformTaskReport } from '#clients/platform/gateway.ts';
import { callFailureOf, type Failure } from '#clients/platform/outcome.ts';
import type { Database } from '#db/database.ts';
import { type DueTask, type NextPoll, postponePoll, recordLostTask, recordReport } from '#db/outreach/sends/polling.ts';
import { nextInterval, SLOWEST_OPEN_MS } from '#domain/campaigns/polling.ts';
import { hasEnded, isInDoubt, nextTaskStatus, type PlatformTaskStatus } from '#domain/campaigns/states.ts';
import { TASK_NOT_FOUND, TASK_NOT_FOUND_MESSAGE } from '#domain/campaigns/sub-task-errors.ts';

/** Reads still arrive after a task has ended, and a lost one may appear again: polled ever more slowly, for a day. */
const SLOWEST_ENDED_MS = 3_600_000;
const SLOW_POLLING_MS = 24 * 3_600_000;

/** An accepted task may take a moment to appear at the platform; after this long without it, it is lost. */
const LOST_AFTER_MS = 120_000;

/** How often an open task is polled at first, and where what A2 returned is stored. */
export interface Polling {
  database: Database;
  firstIntervalMs: number;
}

const after = (now: Date, ms: number) => new Date(now.getTime() + ms);

/** The first poll of a task that is lost, or that ended at `since`. */
export function firstSlowPoll(now: Date, since = now): NextPoll {
  return {
    pollIntervalMs: SLOWEST_OPEN_MS,
    nextPollAt: after(now, SLOWEST_OPEN_MS),
    pollUntil: after(since, SLOW_POLLING_MS),
  };
}

/** Twice the last interval, at most hourly, until the day is over. */
function nextSlowPoll(task: { pollIntervalMs: number | null; pollUntil: Date }, now: Date): NextPoll {
  const pollIntervalMs = Math.min(Math.max((task.pollIntervalMs ?? 0) * 2, SLOWEST_OPEN_MS), SLOWEST_ENDED_MS);
  const nextPollAt = after(now, pollIntervalMs);
  return { pollIntervalMs, nextPollAt: nextPollAt > task.pollUntil ? null : nextPollAt, pollUntil: task.pollUntil };
}

/** When a task in this state is polled again. */
export function nextPoll(
  task: { pollIntervalMs: number | null; pollUntil: Date | null },
  state: { status: PlatformTaskStatus; finishedAt: Date },
  { now, firstIntervalMs }: { now: Date; firstIntervalMs: number },
): NextPoll {
  if (hasEnded(state.status)) {
    const { pollIntervalMs, pollUntil } = task;
    return pollUntil ? nextSlowPoll({ pollIntervalMs, pollUntil }, now) : firstSlowPoll(now, state.finishedAt);
  }
  const pollIntervalMs = nextInterval(task.pollIntervalMs ?? firstIntervalMs / 2, firstIntervalMs);
  return { pollIntervalMs, nextPollAt: after(now, pollIntervalMs), pollUntil: null };
}

const dateOf = (text: string | null | undefined): Date | null => (text ? new Date(text) : null);

/** If the id now belongs to another task, its counts and times do, too. */
const partOf = ({ status, ...rest }: PlatformTaskReport, { holdsTaskId }: DueTask): PlatformTaskReport =>
  holdsTaskId ? { status, ...rest } : { status };

/** Stores what A2 reported about a task, and when it is polled again. */
export async function storeReport(
  { database, firstIntervalMs }: Polling,
  { tenantId, now }: { tenantId: string; now: Date },
  task: DueTask,
  reported: PlatformTaskReport,
): Promise<void> {
  const report = partOf(reported, task);
  const status = nextTaskStatus(task, report.status);
  const { sent = null, delivered = null, failed = null, read = null } = report.summary ?? {};
  const finishedAt = hasEnded(status) ? (dateOf(report.finishedAt) ?? task.finishedAt ?? now) : null;
  // The day of a task that was lost, or that is sent after all, begins at its new end.
  const known = hasEnded(task.status) ? task : { ...task, pollUntil: null };
  const next = nextPoll(known, { status, finishedAt: finishedAt ?? now }, { now, firstIntervalMs });
  await recordReport(
    database,
    { tenantId, key: task.key, taskId: task.taskId },
    {
      status,
      recipientCount: report.recipientCount ?? null,
      summary: { sent, delivered, failed, read },
      startedAt: dateOf(report.startedAt),
      finishedAt,
      reportedAt: now,
    },
    hasEnded(status) && !task.holdsTaskId ? { ...next, nextPollAt: null } : next,
  );
}

/** An open task: polled at most a minute later, and at the moment from which it counts as lost. */
function nextOpenPoll(task: DueTask, failure: Failure, { code, since, now, first }: FailedPoll): NextPoll {
  const repeated = code === null || code === task.errorCode;
  const previous = repeated ? (task.pollIntervalMs ?? first / 2) : first / 2;
  const pollIntervalMs = failure.kind === 'unauthorized' ? SLOWEST_OPEN_MS : nextInterval(previous, first);
  const left = since ? since.getTime() + LOST_AFTER_MS - now.getTime() : Infinity;
  return { pollIntervalMs, nextPollAt: after(now, Math.min(pollIntervalMs, left)), pollUntil: null };
}

interface FailedPoll {
  /** Null if the platform gave no reason. */
  code: string | null;
  since: Date | null;
  now: Date;
  first: number;
}

/** Retried later. A task that the platform does not know may still appear there; after two minutes it is lost. */
export async function storeFailure(
  { database, firstIntervalMs }: Polling,
  { tenantId, now }: { tenantId: string; now: Date },
  task: DueTask,
  failure: Failure,
): Promise<void> {
  const row = { tenantId, key: task.key };
  const missing = failure.kind === 'rejected' && failure.status === 404;
  const code = missing ? TASK_NOT_FOUND : failure.kind === 'rejected' ? failure.code : null;
  const notFoundSince = missing ? (task.notFoundSince ?? now) : task.notFoundSince;
  const slow = hasEnded(task.status) || isInDoubt(task.status);
  if (missing && !slow && notFoundSince && now.getTime() - notFoundSince.getTime() >= LOST_AFTER_MS)
    return await recordLostTask(database, { ...row, notFoundSince }, firstSlowPoll(now));
  const next = slow
    ? nextSlowPoll({ ...task, pollUntil: task.pollUntil ?? after(now, SLOW_POLLING_MS) }, now)
    : nextOpenPoll(task, failure, { code, since: missing ? notFoundSince : null, now, first: firstIntervalMs });
  const asked = failure.kind === 'retryable' ? after(now, failure.retryAfterMs ?? 0) : now;
  const nextPollAt = next.nextPollAt && (asked > next.nextPollAt ? asked : next.nextPollAt);
  const reason = missing ? TASK_NOT_FOUND_MESSAGE : failure.message.slice(0, 1000);
  const message = code === null ? null : reason;
  const { pollIntervalMs } = next;
  const how = failure.kind === 'rejected' && !missing ? 'error' : callFailureOf(failure);
  await postponePoll(database, row, { pollIntervalMs, nextPollAt, notFoundSince, code, message, failure: how, now });
}
