import type { SendForecast } from '../../api/forecast.ts';
import type { Pace } from '../../api/pace.ts';
import { forecastOf as paceForecastOf, subTaskSize } from '../pace/pace.ts';
import { pollsUntil, shortestPause } from '../polling.ts';

/** Milliseconds that depend on a number of contacts: `fixed`, and `perContact` for each of them. */
export interface Line {
  fixed: number;
  perContact: number;
}

/** What earlier sends of a service number took. */
export interface Experience {
  /** How many of them it is known from; at least one. */
  sends: number;
  /** From the confirmation to the first sub-task that the platform accepted, by the contacts of the audience. */
  start: Line;
  /** From there to the end of the sub-task at the platform, by its own contacts. */
  subTask: Line;
  /** From one accepted sub-task to the next; null if no send had enough of them to tell. */
  spacingMs: number | null;
}

/** A send as it is rehearsed. */
export interface RehearsedSend {
  contacts: number;
  pace: Pace | null;
  /** When the platform may begin: the scheduled start, or now. */
  from: Date;
  isScheduled: boolean;
  /** A button needs an entry source, which is created first. */
  needsSource: boolean;
}

/** The platform's limit, and how often a task is first polled. */
export interface SendLimits {
  callsPerSecond: number;
  firstPollMs: number;
}

/** Sub-tasks that one activity submits. */
export const SUB_TASKS_PER_RANGE = 100;

const on = (line: Line, contacts: number) => Math.max(0, line.fixed + line.perContact * contacts);

/**
 * The submitting workflow: its start, the plan before and after, following the campaign, its status, and the ranges; an entry
 * source takes a step and another plan. The following one: its start with a signal, three activities and two statuses, and
 * a retry for each round of polls.
 */
const actionsOf = (subTasks: number, rounds: number, needsSource: boolean) =>
  5 + Math.ceil(subTasks / SUB_TASKS_PER_RANGE) + (needsSource ? 2 : 0) + 7 + rounds;

/**
 * What a send is going to take, if nothing delays it: until the platform has finished its last sub-task, without the day of
 * rare polls for reads after it.
 * @returns without duration, polls and actions if no earlier send says how long the platform takes.
 */
export function forecastSend(
  { contacts, pace, from, isScheduled, needsSource }: RehearsedSend,
  experience: Experience | null,
  { callsPerSecond, firstPollMs }: SendLimits,
): SendForecast {
  const size = subTaskSize(pace, from, contacts);
  const submissions = Math.ceil(contacts / size);
  if (!experience || contacts === 0)
    return {
      submissions,
      durationSeconds: null,
      polls: null,
      temporalActions: null,
      basedOnSends: experience?.sends ?? 0,
    };
  const spacing = Math.max(1000 / callsPerSecond, experience.spacingMs ?? 0);
  const paced = pace ? paceForecastOf(pace, from, contacts).endsAt.getTime() - from.getTime() : 0;
  const submitting = Math.max((submissions - 1) * spacing, paced);
  const atPlatform = on(experience.subTask, Math.min(size, contacts));
  const start = isScheduled ? 0 : on(experience.start, contacts);
  const each = pollsUntil(atPlatform, firstPollMs);
  const rounds = each * (1 + Math.floor(submitting / shortestPause(firstPollMs)));
  return {
    submissions,
    durationSeconds: Math.round((start + submitting + atPlatform) / 100) / 10,
    polls: submissions * each,
    temporalActions: actionsOf(submissions, rounds, needsSource),
    basedOnSends: experience.sends,
  };
}
