import type { Database } from '#db/database.ts';
import type { Report } from './judge.ts';
import { runWorld } from './world.ts';

/** Operators do at most so much in one world. */
const ALL_STEPS = 100;

/** A long run says how far it is after so many. */
const REPORT_EVERY = 50;

/** Of a campaign that ended as it must not; what was done in it, and with which seed. */
export class WorldFailed extends Error {
  override name = 'WorldFailed';
}

const messageOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** Seeds never draw more. */
const MOST_STEPS = 12;

/** Looks for the fewest steps of operators with which the seed still fails. */
async function shorten(database: Database, seed: number, first: string): Promise<never> {
  for (let steps = 0; steps <= MOST_STEPS; steps += 1) {
    const trace: string[] = [];
    const failure = await runWorld(database, { seed, limits: { steps } }, trace).then(
      () => null,
      (error: unknown) => messageOf(error),
    );
    if (failure !== null)
      throw new WorldFailed(
        `seed ${seed} (SEND_MODEL_SEED=${seed} repeats it), with ${steps} steps of operators:\n${failure}\n${trace.join('\n')}`,
      );
  }
  throw new WorldFailed(`seed ${seed} failed once and then passed:\n${first}`);
}

export interface Totals extends Omit<Report, 'endedAs'> {
  endings: Map<string, number>;
}

function add(totals: Totals, { endedAs, ...report }: Report): void {
  for (const name of Object.keys(report) as (keyof typeof report)[]) totals[name] += report[name];
  totals.endings.set(endedAs, (totals.endings.get(endedAs) ?? 0) + 1);
}

/**
 * Runs so many worlds, one after another on each of the databases; world i has the seed `seed + i`.
 * @throws WorldFailed
 */
export async function runWorlds(
  databases: Database[],
  { seed, count }: { seed: number; count: number },
): Promise<Totals> {
  const totals: Totals = {
    sends: 0,
    contacts: 0,
    tasks: 0,
    calls: 0,
    clicks: 0,
    looks: 0,
    jumps: 0,
    sentTwice: 0,
    follows: 0,
    steps: 0,
    endings: new Map(),
  };
  let next = 0;
  let failed: { database: Database; seed: number; reason: string } | undefined;
  const lane = async (database: Database): Promise<void> => {
    while (next < count && !failed) {
      const own = seed + next;
      next += 1;
      try {
        add(totals, await runWorld(database, { seed: own, limits: { steps: ALL_STEPS } }));
      } catch (error) {
        failed ??= { database, seed: own, reason: messageOf(error) };
      }
      if (next % REPORT_EVERY === 0) process.stdout.write(`      ${next} of ${count} campaigns begun\n`);
    }
  };
  await Promise.all(databases.map(lane));
  if (failed) await shorten(failed.database, failed.seed, failed.reason);
  return totals;
}
