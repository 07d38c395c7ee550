import type { Journal, Slice } from '#sandbox/journal.ts';
import type { Broadcast, Message } from './messages.ts';

/** A broadcast task. What happens to each recipient is derived from the seed, so only the start is stored. */
export interface Task {
  taskId: string;
  tenantIntegrationId: string;
  platformTenantId: string;
  serviceNumberId: string;
  name: string;
  note?: string;
  channels: string[];
  messages: Message[];
  schedule: Broadcast['schedule'];
  /** Without duplicates, in the order given. */
  contactIds: string[];
  estimatedRecipientCount: number;
  createdAt: number;
  /** When sending starts. */
  startsAt: number;
  idempotencyKey?: string;
  cancelledAt?: number;
  run?: Run;
}

/** What was decided when sending started. */
export interface Run {
  startedAt: number;
  durationMs: number;
  readDelayMs: number;
  shares: { governance: number; failed: number; read: number };
  seed: number;
  /** The whole task fails: nothing is sent. */
  fails: boolean;
  /** Indexes into contactIds of those who were unsubscribed at that time. */
  unsubscribed: number[];
  /** Indexes of those who no longer followed: sent, but not delivered. */
  unfollowed: number[];
}

type Entry =
  | { kind: 'task'; task: Task }
  | { kind: 'run'; taskId: string; run: Run }
  | { kind: 'cancelled'; taskId: string; at: number };

export function createTasks(journal: Journal) {
  const tasks = new Map<string, Task>();
  const byKey = new Map<string, string>();

  const slice: Slice<Entry> = {
    apply(entry) {
      if (entry.kind === 'task') {
        const { task } = entry;
        tasks.set(task.taskId, task);
        if (task.idempotencyKey) byKey.set(`${task.tenantIntegrationId} ${task.idempotencyKey}`, task.taskId);
        return;
      }
      const task = tasks.get(entry.taskId);
      if (!task) return;
      if (entry.kind === 'run') task.run = entry.run;
      else task.cancelledAt = entry.at;
    },
    *dump() {
      for (const task of tasks.values()) yield { kind: 'task', task };
    },
  };

  return {
    record: journal.register('tasks', slice),
    find: (taskId: string) => tasks.get(taskId),
    /** The first task accepted with this key. */
    findByKey: (tenantIntegrationId: string, key: string) =>
      tasks.get(byKey.get(`${tenantIntegrationId} ${key}`) ?? ''),
    list: () => tasks.values(),
    count: () => tasks.size,
  };
}

export type Tasks = ReturnType<typeof createTasks>;
