import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type ScheduleUpdateOptions,
  WorkflowExecutionAlreadyStartedError,
} from '@temporalio/client';
import type { Launcher } from '#activities/outreach/deps.ts';
import type { RepeatKey } from '#db/outreach/repeats/repeats.ts';
import { CATCH_UP_MS } from '#commands/outreach/repeats/run-due-repeat.ts';
import { taskQueues, workflowTaskTimeout } from '#temporal.config.ts';
import { runRepeatWorkflowId } from '#workflows/contracts/run-repeat.ts';
import { tenantAttribute } from '#workflows/contracts/search-attributes.ts';

/** What both the Schedule and a sweep start. */
function runOf({ tenantId, repeatId }: RepeatKey) {
  return {
    workflowId: runRepeatWorkflowId({ repeatId }),
    taskQueue: taskQueues.outreach,
    workflowTaskTimeout,
    workflowExecutionTimeout: '1 hour' as const,
    staticSummary: 'Sends the campaign of a repeat that is due',
    staticDetails: `Repeat ${repeatId}; its row holds calendar and runs. Safe to start at any time: a wall time has one run.`,
    typedSearchAttributes: [tenantAttribute(tenantId)],
    args: [{ tenantId, repeatId }],
  };
}

const months = [
  'JANUARY',
  'FEBRUARY',
  'MARCH',
  'APRIL',
  'MAY',
  'JUNE',
  'JULY',
  'AUGUST',
  'SEPTEMBER',
  'OCTOBER',
  'NOVEMBER',
  'DECEMBER',
] as const;

/** One time in UTC: the zone's clocks have been asked already. */
function calendarOf(at: Date) {
  return {
    year: at.getUTCFullYear(),
    month: months[at.getUTCMonth()] ?? 'JANUARY',
    dayOfMonth: at.getUTCDate(),
    hour: at.getUTCHours(),
    minute: at.getUTCMinutes(),
    second: 0,
  };
}

type Content = Pick<ScheduleUpdateOptions, 'spec' | 'policies' | 'action'>;

function contentOf(repeat: RepeatKey, times: Date[]): Content {
  return {
    spec: { calendars: times.map((at) => calendarOf(at)) },
    policies: { catchupWindow: CATCH_UP_MS, overlap: ScheduleOverlapPolicy.BUFFER_ONE },
    action: { type: 'startWorkflow', workflowType: 'runRepeat', ...runOf(repeat) },
  };
}

async function write(client: Client, scheduleId: string, content: Content): Promise<void> {
  try {
    await client.schedule.create({ scheduleId, ...content });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await client.schedule.getHandle(scheduleId).update(({ state }) => ({ ...content, state }));
  }
}

async function remove(client: Client, scheduleId: string): Promise<void> {
  try {
    await client.schedule.getHandle(scheduleId).delete();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}

/** Launches the runs of repeats, and writes their Schedules. */
export function repeatLaunches(client: Client): Pick<Launcher, 'repeat' | 'repeatSchedule'> {
  return {
    repeat: async (repeat) => {
      try {
        await client.workflow.start('runRepeat', runOf(repeat));
        return 'started';
      } catch (error) {
        if (error instanceof WorkflowExecutionAlreadyStartedError) return 'running';
        throw error;
      }
    },
    repeatSchedule: async (repeat, times) => {
      const scheduleId = runRepeatWorkflowId(repeat);
      await (times.length > 0 ? write(client, scheduleId, contentOf(repeat, times)) : remove(client, scheduleId));
    },
  };
}
