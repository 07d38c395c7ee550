import type { Group } from './groups.ts';
import { type Counts, type Outcome, sumOf } from './run.ts';

/** A test file that deserves another chance, and how often in a row it has to pass then. */
export interface Repetition {
  file: string;
  times: number;
}

/** More than these are no accident of a slow moment. */
const MOST_FILES = 2;
/** Where a browser or a whole system is waited for: what is broken there fails again. */
const waiting = /^test\/(browser|end-to-end|scale|specification|start)\//;
/** Against real servers, where a defect may show only now and then: three runs mostly find one that shows in one of three. */
const serving = /^(test\/(crash|orders)|api|activities|scripts|sandbox)\//;
/** It looks for races, which show seldom; so do leaks, replays and properties, whose files are not above. */
const searching = /^test\/orders\/concurrency\./;
const isSearch = ({ failures }: Counts): boolean => failures.some((text) => text.includes('Property failed after'));

/** How often in a row the file has to pass alone after a failure; undefined where its failure stands. */
function timesOf(file: string, counts: Counts): number | undefined {
  if (searching.test(file) || isSearch(counts)) return undefined;
  if (waiting.test(file)) return 1;
  return serving.test(file) ? 3 : undefined;
}

/**
 * The files that are run again: those with failures, where they are few and each of them may be. A defect that is always
 * there fails again; what passes then is named, not hidden.
 */
export function toRepeat(outcome: Outcome): Repetition[] {
  const failed = Object.entries(outcome).filter(([, counts]) => counts.failed > 0);
  const repetitions = failed.flatMap(([file, counts]) => {
    const times = timesOf(file, counts);
    return times === undefined ? [] : [{ file, times }];
  });
  return failed.length <= MOST_FILES && repetitions.length === failed.length ? repetitions : [];
}

/** The file as a group of its own. */
export const alone = (file: string): Group => ({
  name: 'once more, alone',
  files: [file],
  mayBeSkipped: false,
  beside: false,
});

/** Runs so often, but no more after a failure. @returns what the last run counted. */
export async function inARow(times: number, run: () => Promise<Outcome>): Promise<Outcome> {
  let last = await run();
  for (let count = 1; count < times && sumOf(last).failed === 0; count += 1) last = await run();
  return last;
}

/** What failed at first and passed when repeated. */
export function flaky(first: Outcome, second: Outcome): string[] {
  return Object.entries(second).flatMap(([path, { failed }]) =>
    failed === 0 ? (first[path]?.failures ?? []).map((failure) => `${path}: ${failure}`) : [],
  );
}
