/**
 * What becomes of a task and of each recipient. Governance is the platform's: whoever it holds back, or who has
 * unsubscribed, counts neither as sent nor as delivered (S0, rule 9).
 */
import { z } from 'zod';
import { seedOf, shareOf } from '#sandbox/random.ts';
import type { Behaviour } from './behaviour.ts';
import type { Run, Task } from './tasks.ts';

const taskStatus = z.enum(['scheduled', 'sending', 'completed', 'cancelled', 'failed']);
export type TaskStatus = z.infer<typeof taskStatus>;
export type Fate = 'unsubscribed' | 'held' | 'failed' | 'delivered';

/** The run of a task that starts now, with the platform's current behaviour. */
export function planRun(
  task: Task,
  behaviour: Behaviour,
  contacts: {
    isUnsubscribed(serviceNumberId: string, contactId: string): boolean;
    isFollowing(serviceNumberId: string, contactId: string): boolean;
  },
): Run {
  const seed = (seedOf(task.taskId) ^ behaviour.seed) >>> 0;
  const unsubscribed: number[] = [];
  const unfollowed: number[] = [];
  task.contactIds.forEach((contactId, index) => {
    if (contacts.isUnsubscribed(task.serviceNumberId, contactId)) unsubscribed.push(index);
    else if (!contacts.isFollowing(task.serviceNumberId, contactId)) unfollowed.push(index);
  });
  return {
    startedAt: Date.now(),
    durationMs: behaviour.sendDurationMs,
    readDelayMs: behaviour.readDelayMs,
    shares: { governance: behaviour.governanceShare, failed: behaviour.failedShare, read: behaviour.readShare },
    seed,
    fails: shareOf(seed, 0, 9) < behaviour.taskFailureShare,
    unsubscribed,
    unfollowed,
  };
}

/** The outcome for the recipient at `index`. */
export function fateOf(run: Run, index: number): Fate {
  if (run.unsubscribed.includes(index)) return 'unsubscribed';
  if (shareOf(run.seed, index, 0) < run.shares.governance) return 'held';
  if (run.fails || run.unfollowed.includes(index)) return 'failed';
  return shareOf(run.seed, index, 1) < run.shares.failed ? 'failed' : 'delivered';
}

/** When the recipient at `index` is reached, in milliseconds since the epoch. */
export function reachedAt(task: Task, run: Run, index: number): number {
  return run.startedAt + Math.round((run.durationMs * (index + 1)) / task.contactIds.length);
}

export function statusOf(task: Task, now: number): TaskStatus {
  if (task.cancelledAt !== undefined) return 'cancelled';
  if (!task.run) return 'scheduled';
  if (task.run.fails) return 'failed';
  return now < task.run.startedAt + task.run.durationMs ? 'sending' : 'completed';
}

const count = z.number().int().min(0);
export const reportSchema = z.object({
  taskId: z.string(),
  status: taskStatus,
  recipientCount: count,
  summary: z.object({ sent: count, delivered: count, failed: count, read: count }),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
});

/** The A2 response at this time: sent = delivered + failed, read ≤ delivered, sent ≤ recipientCount. */
export function reportOf(task: Task, now: number): z.infer<typeof reportSchema> {
  const summary = { sent: 0, delivered: 0, failed: 0, read: 0 };
  const status = statusOf(task, now);
  const { run } = task;
  if (run && !run.fails) {
    task.contactIds.forEach((_contactId, index) => {
      const reached = reachedAt(task, run, index);
      if (reached > now) return;
      const fate = fateOf(run, index);
      if (fate === 'unsubscribed' || fate === 'held') return;
      summary.sent += 1;
      summary[fate] += 1;
      if (fate === 'delivered' && isRead(run, index, reached, now)) summary.read += 1;
    });
  }
  const ended = status === 'completed' || status === 'failed';
  const endedAt = run && (run.fails ? run.startedAt : run.startedAt + run.durationMs);
  return {
    taskId: task.taskId,
    status,
    recipientCount: run ? task.contactIds.length - run.unsubscribed.length : task.estimatedRecipientCount,
    summary,
    startedAt: run ? new Date(run.startedAt).toISOString() : null,
    finishedAt: ended && endedAt !== undefined ? new Date(endedAt).toISOString() : null,
  };
}

function isRead(run: Run, index: number, reached: number, now: number): boolean {
  if (shareOf(run.seed, index, 2) >= run.shares.read) return false;
  return reached + Math.round(shareOf(run.seed, index, 3) * run.readDelayMs) <= now;
}
