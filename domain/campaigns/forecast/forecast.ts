import type { SendForecast } from '#domain/api/forecast.ts';
import type { Pace } from '#domain/api/pace.ts';
import { forecastOf as paceForecastOf, subTaskSize } from '../pace/pace.ts';
import { pollsUntil, SLOWEST_PACED_MS, shortestPause } from '../polling.ts';
import type { Experience } from './experience.ts';
import type { Line } from './line.ts';
import { queuedMs } from './queue.ts';

/** A send as it is rehearsed. */
export interface RehearsedSend {
  contacts: number;
  /** How many would get which variant, and at last how many none, if the campaign tests variants. */
  arms: number[] | null;
  /** Milliseconds until the test of its variants is decided at the latest; null if it has none, or nobody waits for it. */
  testMs: number | null;
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
 * The submitting workflow: its start, the plan before and after, following the campaign, its status, and the ranges, of which at a
 * pace each sub-task is one, with a plan and a timer; an entry source takes a step and another plan. The following one: its start with a signal, three activities and two statuses, and
 * a retry for each round of polls.
 */
const actionsOf = (
  subTasks: number,
  rounds: number,
  { isPaced, needsSource }: Record<'isPaced' | 'needsSource', boolean>,
) => 5 + (isPaced ? 3 * subTasks : Math.ceil(subTasks / SUB_TASKS_PER_RANGE)) + (needsSource ? 2 : 0) + 7 + rounds;

/** Rounds of polls: many at once share them; at a pace each sub-task has its own, and is looked at again once it was submitted. */
function roundsOf(
  submissions: number,
  each: number,
  times: { submittingMs: number; isPaced: boolean; firstPollMs: number },
) {
  const { submittingMs, isPaced, firstPollMs } = times;
  const shared = each * (1 + Math.ceil(submittingMs / shortestPause(firstPollMs)));
  return isPaced ? Math.min(shared, submissions * (each + 1) + Math.ceil(submittingMs / SLOWEST_PACED_MS)) : shared;
}

/**
 * What a send is going to take, if nothing delays it: until the platform has finished its last sub-task, without the day of
 * rare polls for reads after it.
 * @returns without duration, polls and actions if no earlier send says how long the platform takes.
 */
export function forecastSend(
  { contacts, arms, testMs, pace, from, isScheduled, needsSource }: RehearsedSend,
  experience: Experience | null,
  { callsPerSecond, firstPollMs }: SendLimits,
): SendForecast {
  const size = subTaskSize(pace, from, contacts);
  const submissions = (arms ?? [contacts]).reduce((sum, count) => sum + Math.ceil(count / size), 0);
  if (!experience || contacts === 0)
    return {
      submissions,
      durationSeconds: null,
      polls: null,
      temporalActions: null,
      basedOnSends: experience?.sends ?? 0,
    };
  const paced = pace ? paceForecastOf(pace, from, contacts).endsAt.getTime() - from.getTime() : 0;
  const unpaced = (submissions - 1) * experience.spacingMs + queuedMs(submissions, callsPerSecond);
  const submitting = Math.max(unpaced, paced);
  const isPaced = paced > unpaced;
  const atPlatform = on(experience.subTask, Math.min(size, contacts));
  const start = isScheduled ? 0 : on(experience.start, contacts);
  const each = pollsUntil(atPlatform, firstPollMs);
  const rounds = roundsOf(submissions, each, { submittingMs: submitting, isPaced, firstPollMs });
  return {
    submissions,
    durationSeconds: Math.round((start + submitting + (testMs ?? 0) + atPlatform) / 100) / 10,
    polls: submissions * each,
    temporalActions: arms ? null : actionsOf(submissions, rounds, { isPaced, needsSource }),
    basedOnSends: experience.sends,
  };
}
