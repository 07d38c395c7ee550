import type { PlatformTaskStatus } from '#domain/campaigns/states.ts';
import type { Chances } from './chances.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** What becomes of a task; `contradicts` itself: it is reported as failed with nothing sent, and sent later. */
type Course = 'completes' | 'fails' | 'contradicts';

/** A task at the platform: what happens to it if nobody cancels it, and what is reported. */
export interface PlatformTask {
  taskId: string;
  key: string;
  contactIds: string[];
  /** The title of the first message, or its text. */
  says: string;
  scheduled: boolean;
  beginsAt: number;
  endsAt: number;
  course: Course;
  /** Of one that contradicts itself. */
  sentAfterAllAt: number;
  cancelled: boolean;
  /** Nobody is told about it in these times. */
  hidden: { from: number; until: number }[];
  summary: 'full' | 'none' | 'sent';
}

interface Accepted {
  taskId: string;
  key: string;
  contactIds: string[];
  says: string;
  /** Null for immediately. */
  at: number | null;
}

function hiddenTimes(chances: Chances, now: number, endsAt: number, about: unknown[]): PlatformTask['hidden'] {
  const hides = chances.draw({ never: 70, first: 12, later: 8, forgotten: 6, forgottenForHours: 4 }, 'hides', ...about);
  const long = chances.between(20, 600, 'how long', ...about) * SECOND;
  if (hides === 'first') return [{ from: now, until: now + long }];
  if (hides === 'later') return [{ from: now + long / 2, until: now + 2 * long }];
  if (hides === 'forgotten') return [{ from: now + long, until: Infinity }];
  return hides === 'forgottenForHours' ? [{ from: endsAt - MINUTE, until: endsAt + 5 * HOUR }] : [];
}

/** A task as the seed has it. */
export function createTask(chances: Chances, now: number, { at, ...accepted }: Accepted): PlatformTask {
  const about = [accepted.contactIds.join(), at === null];
  const early = at !== null && chances.fraction('early', ...about) < 0.2 ? 8 * MINUTE : 0;
  const beginsAt = Math.max(now + 500, (at ?? now) - early);
  const endsAt = beginsAt + chances.between(1, 400, 'ends', ...about) * SECOND;
  const course = chances.draw<Course>({ completes: 84, fails: 12, contradicts: 4 }, 'course', ...about);
  const summary = chances.draw({ full: 80, none: 14, sent: 6 }, 'summary', ...about);
  return {
    ...accepted,
    scheduled: at !== null,
    beginsAt,
    endsAt,
    course,
    sentAfterAllAt: endsAt + chances.between(2, 90, 'after all', ...about) * MINUTE,
    cancelled: false,
    hidden: hiddenTimes(chances, now, endsAt, about),
    summary: course === 'contradicts' ? 'full' : summary,
  };
}

export function statusOf(task: PlatformTask, now: number): PlatformTaskStatus {
  if (task.cancelled) return 'cancelled';
  if (now < task.beginsAt) return task.scheduled ? 'scheduled' : 'sending';
  if (now < task.endsAt) return 'sending';
  if (task.course === 'completes') return 'completed';
  if (task.course === 'fails' || now < task.sentAfterAllAt) return 'failed';
  return now < task.sentAfterAllAt + MINUTE ? 'sending' : 'completed';
}

/** Whether its contacts have received it. */
export function hasSent(task: PlatformTask, now: number): boolean {
  if (task.cancelled || task.course === 'fails') return false;
  return now >= (task.course === 'completes' ? task.beginsAt : task.sentAfterAllAt);
}

/** Whether it looks as if they had: it failed, and nobody is told how many had received it by then. */
export const seemsSent = (task: PlatformTask, now: number): boolean =>
  hasSent(task, now) || (statusOf(task, now) === 'failed' && task.summary === 'none');

/** Whether they have received it, or will unless somebody prevents it. */
export const isOrWillBeSent = (task: PlatformTask): boolean => !task.cancelled && task.course !== 'fails';

/** From then on nothing becomes of it that has not been by then, except that it may be reported again. */
export function restsAt(task: PlatformTask): number {
  if (task.cancelled) return 0;
  const end = task.course === 'contradicts' ? task.sentAfterAllAt + MINUTE : task.endsAt;
  return Math.max(end, ...task.hidden.map(({ from }) => from));
}

export const isHidden = ({ hidden }: PlatformTask, now: number): boolean =>
  hidden.some(({ from, until }) => from <= now && now < until);

/** What A2 says of it. */
export function reportOf(task: PlatformTask, now: number): object {
  const status = statusOf(task, now);
  const sent = hasSent(task, now) ? task.contactIds.length : 0;
  const all = { sent, delivered: sent, failed: 0, read: 0 };
  const summary = task.summary === 'sent' ? { sent } : all;
  return {
    taskId: task.taskId,
    status,
    recipientCount: task.contactIds.length,
    ...(task.summary === 'none' ? {} : { summary }),
    ...(now >= task.beginsAt && !task.cancelled ? { startedAt: new Date(task.beginsAt).toISOString() } : {}),
    ...(['completed', 'failed'].includes(status) ? { finishedAt: new Date(task.endsAt).toISOString() } : {}),
  };
}
