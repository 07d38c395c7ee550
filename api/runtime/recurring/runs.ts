import { msToNumber } from '@temporalio/common/lib/time.js';
import type { Registry } from 'prom-client';
import { noteEnd, noteStart, readRuns } from '#db/recurring/runs.ts';
import type { Database } from '#db/database.ts';
import { SWEEP, SWEEP_ALLOWED_MS } from '#domain/recurring/sweep.ts';
import { databaseGauges } from '#api/http/metrics.ts';
import type { ScheduleDefinition } from './schedules.ts';

interface Noted<Result> {
  /** The id of the Schedule whose runs call it. */
  kind: string;
  /** Whether a run that got this result is over; each is, unless this says otherwise. */
  ends?: (result: Result) => boolean;
}

/** An activity with which the runs of a Schedule end: a row says when one did. */
export const noting =
  <Given extends unknown[], Result>(
    database: Database,
    { kind, ends = () => true }: Noted<Result>,
    activity: (...given: Given) => Promise<Result>,
  ): ((...given: Given) => Promise<Result>) =>
  async (...given) => {
    await noteStart(database, kind);
    const result = await activity(...given);
    if (ends(result)) await noteEnd(database, kind);
    return result;
  };

/** For work in batches: the last one says that there is no more. */
export const isLast = ({ more }: { more: boolean }): boolean => !more;

const DAY_MS = 24 * 60 * 60_000;

/** How long after the end of one run the end of the next may take, in seconds: until it begins, and as long as it may last. */
const allowedSeconds = ({ when, longest }: ScheduleDefinition): number =>
  (('every' in when ? msToNumber(when.every) : DAY_MS) + msToNumber(longest)) / 1000;

/**
 * How long ago the service's sweep, what else its workers do all the time (`always`) and each of its Schedules last came to an
 * end, and how long ago that may be. One that never did counts from the start of the process that is asked. Every process says
 * the same of all.
 */
export function recurringGauges(
  registry: Registry,
  database: Database,
  {
    schedules = [],
    always = [],
    sweepSeconds = SWEEP_ALLOWED_MS / 1000,
  }: { schedules?: readonly ScheduleDefinition[]; always?: readonly string[]; sweepSeconds?: number },
): void {
  const allowed = new Map([
    ...[SWEEP, ...always].map((kind) => [kind, sweepSeconds] as const),
    ...schedules.map((schedule) => [schedule.id, allowedSeconds(schedule)] as const),
  ]);
  const kinds = [...allowed.keys()];
  const startedAt = new Date();
  databaseGauges(
    registry,
    {
      age: {
        name: 'recurring_run_age_seconds',
        help: 'Time since what recurs last came to its end: the sweep, what else workers do all the time, or the Schedule of this id',
        labelNames: ['kind'],
      },
      allowed: {
        name: 'recurring_run_allowed_seconds',
        help: 'How long that may take: until the next one begins, and as long as it may last',
        labelNames: ['kind'],
      },
    },
    async () => {
      const ended = new Map((await readRuns(database)).map(({ kind, completedAt }) => [kind, completedAt]));
      const age = (kind: string) => Math.max(0, Date.now() - (ended.get(kind) ?? startedAt).getTime()) / 1000;
      return {
        age: kinds.map((kind) => ({ labels: { kind }, value: age(kind) })),
        allowed: kinds.map((kind) => ({ labels: { kind }, value: allowed.get(kind) ?? 0 })),
      };
    },
  );
}
