import type { Group } from './groups.ts';
import type { Counts, Outcome } from './run.ts';

/** More than these are no accident of a slow moment. */
const MOST_FILES = 2;
/** Where a browser or a whole system is waited for. What looks for races, lost work or leaks has one attempt: it finds them seldom. */
const waiting = /^test\/(browser|end-to-end|scale|specification|start)\//;
const isSearch = ({ failures }: Counts): boolean => failures.some((text) => text.includes('Property failed after'));

/**
 * The files that deserve a second attempt, as a group of their own: those with failures, where they are few and all of them
 * wait for much. A defect that is always there fails again; what passes then is named, not hidden.
 */
export function toRepeat(outcome: Outcome): Group | undefined {
  const failed = Object.entries(outcome).filter(([, counts]) => counts.failed > 0);
  const files = failed.map(([path]) => path);
  const allMay = failed.every(([path, counts]) => waiting.test(path) && !isSearch(counts));
  if (files.length === 0 || files.length > MOST_FILES || !allMay) return undefined;
  return { name: 'once more, alone', files, mayBeSkipped: false, beside: false };
}

/** What failed at first and passed when repeated. */
export function flaky(first: Outcome, second: Outcome): string[] {
  return Object.entries(second).flatMap(([path, { failed }]) =>
    failed === 0 ? (first[path]?.failures ?? []).map((failure) => `${path}: ${failure}`) : [],
  );
}
