import { isDeepStrictEqual } from 'node:util';
import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleDescription,
  ScheduleOverlapPolicy,
  type ScheduleUpdateOptions,
} from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import { msToNumber } from '@temporalio/common/lib/time.js';
import { type TaskQueue, workflowTaskTimeout } from '#temporal.config.ts';

/** A workflow that runs on a schedule. The Schedule's id is also the prefix of its runs' ids. */
export interface ScheduleDefinition {
  id: string;
  type: string;
  taskQueue: TaskQueue;
  args?: unknown[];
  /** At an interval, or every day at this time in UTC. */
  when: { every: Duration } | { hour: number; minute: number };
  /** How late a run missed during an outage may still start. */
  catchupWindow: Duration;
  /** A run that takes longer is terminated, so that it does not block the next one. */
  longest: Duration;
  summary: string;
  /** Also runs once as soon as it is created. */
  startsAtOnce?: boolean;
}

type ScheduleContent = Pick<ScheduleUpdateOptions, 'spec' | 'policies' | 'action'>;

function contentOf(definition: ScheduleDefinition): ScheduleContent {
  const { id, type, taskQueue, args = [], when, catchupWindow, longest, summary } = definition;
  return {
    spec: 'every' in when ? { intervals: [when] } : { calendars: [when] },
    policies: { catchupWindow, overlap: ScheduleOverlapPolicy.SKIP },
    action: {
      type: 'startWorkflow',
      workflowType: type,
      workflowId: id,
      taskQueue,
      args,
      workflowTaskTimeout,
      workflowExecutionTimeout: longest,
      staticSummary: summary,
    },
  };
}

const only = (value: number) => [{ start: value, end: value, step: 1 }];

/** The definition in the form in which the server describes a Schedule. */
function wantedOf({ id, type, taskQueue, args = [], when, catchupWindow, longest, summary }: ScheduleDefinition) {
  return {
    intervals: 'every' in when ? [msToNumber(when.every)] : [],
    calendars: 'every' in when ? [] : [{ second: only(0), minute: only(when.minute), hour: only(when.hour) }],
    policies: [ScheduleOverlapPolicy.SKIP, msToNumber(catchupWindow)],
    action: [type, id, taskQueue, args, summary],
    timeouts: [msToNumber(workflowTaskTimeout), msToNumber(longest)],
  };
}

function foundOf({ spec, policies, action }: ScheduleDescription): Record<keyof ReturnType<typeof wantedOf>, unknown> {
  const { workflowType, workflowId, taskQueue, args = [], staticSummary = '' } = action;
  return {
    intervals: (spec.intervals ?? []).map(({ every }) => every),
    calendars: (spec.calendars ?? []).map(({ second, minute, hour }) => ({ second, minute, hour })),
    policies: [policies.overlap, policies.catchupWindow],
    action: [workflowType, workflowId, taskQueue, args, staticSummary],
    timeouts: [action.workflowTaskTimeout ?? 0, action.workflowExecutionTimeout ?? 0],
  };
}

/**
 * Creates a Schedule if it is missing, and updates one that differs from its definition, without changing whether it
 * is paused. Runs at every start of a service, in any number of its processes.
 */
export async function ensureSchedule(
  client: Client,
  definition: ScheduleDefinition,
): Promise<'created' | 'updated' | 'unchanged'> {
  try {
    const created = await client.schedule.create({ scheduleId: definition.id, ...contentOf(definition) });
    // Not as part of the creation: the next run would not wait for that one to end.
    if (definition.startsAtOnce) await created.trigger(ScheduleOverlapPolicy.SKIP);
    return 'created';
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
  const handle = client.schedule.getHandle(definition.id);
  if (isDeepStrictEqual(foundOf(await handle.describe()), wantedOf(definition))) return 'unchanged';
  await handle.update(({ state }) => ({ ...contentOf(definition), state }));
  return 'updated';
}
