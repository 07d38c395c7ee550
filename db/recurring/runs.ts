import { SWEEP, type SweepRuns } from '#domain/recurring/sweep.ts';
import { type Database, firstRow, rows } from '../database.ts';

/** When a sweep or a Schedule last began, and last came to its end; each schema with recurring work has the table. */
export interface RecurringRun {
  kind: string;
  startedAt: Date;
  /** Null if none came to its end so far. */
  completedAt: Date | null;
}

/** A run begins, in whichever process. */
export async function noteStart(database: Database, kind: string): Promise<void> {
  await rows(
    database,
    `insert into recurring_run (kind, started_at) values (:kind, clock_timestamp())
     on conflict (kind) do update set started_at = excluded.started_at`,
    { kind },
  );
}

/** A run that began before has come to its end. */
export async function noteEnd(database: Database, kind: string): Promise<void> {
  await rows(
    database,
    `insert into recurring_run as r (kind, started_at, completed_at) values (:kind, clock_timestamp(), clock_timestamp())
     on conflict (kind) do update set completed_at = excluded.completed_at`,
    { kind },
  );
}

/** Far less than the alert allows, and far more than the shortest round takes. */
const NOTE_EVERY_MS = 10_000;

/**
 * For rounds that follow each other so quickly that noting each would cost more than the round: this process notes the first
 * one, and then one in ten seconds at most. One that fails has not come to its end.
 * @returns what runs a round.
 */
export function notingSome(
  database: Database,
  kind: string,
  everyMs = NOTE_EVERY_MS,
): <Result>(round: () => Promise<Result>) => Promise<Result> {
  let dueAt = 0;
  return async (round) => {
    if (performance.now() < dueAt) return round();
    dueAt = performance.now() + everyMs;
    await noteStart(database, kind);
    const result = await round();
    await noteEnd(database, kind);
    return result;
  };
}

export function readRuns(database: Database): Promise<RecurringRun[]> {
  return rows<RecurringRun>(database, 'select kind, started_at, completed_at from recurring_run', {});
}

/** The runs of the service's own sweep. */
export async function readSweep(database: Database): Promise<SweepRuns> {
  const run = await firstRow<SweepRuns>(
    database,
    'select started_at, completed_at from recurring_run where kind = :kind',
    { kind: SWEEP },
  );
  return run ?? { startedAt: null, completedAt: null };
}
