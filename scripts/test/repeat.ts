import type { Counts, Outcome } from './run.ts';

/** More than these are no accident of a slow moment: two run at a time, and it may last from one to the next. */
const MOST_FILES = 4;
/** Where a browser or a whole system is waited for: what is broken there fails again. */
const waiting = /^test\/(browser|end-to-end|scale|specification|start)\//;
/** Against real servers, where a defect may show only now and then: three runs mostly find one that shows in one of three. */
const serving = /^(test\/(crash|orders)|api|activities|scripts|sandbox)\//;
/** It looks for races, which show seldom; so do leaks, replays and properties, whose files are not above. */
const searching = /^test\/(orders\/(concurrency\.|model\/)|sends\/model\/)/;
const isSearch = ({ failures }: Counts): boolean => failures.some((text) => text.includes('Property failed after'));

/** How often in a row the file has to pass alone after a failure; 0 where its failure stands. */
function timesOf(file: string, counts: Counts): number {
  if (searching.test(file) || isSearch(counts)) return 0;
  if (waiting.test(file)) return 1;
  return serving.test(file) ? 3 : 0;
}

/**
 * The files that are run again, with how often: those with failures, where they are few and each of them may be. A defect
 * that is always there fails again; what passes then is named, not hidden.
 */
export function toRepeat(outcome: Outcome): Map<string, number> {
  const failed = Object.entries(outcome).filter(([, counts]) => counts.failed > 0);
  const times = new Map(failed.map(([file, counts]) => [file, timesOf(file, counts)]));
  return failed.length <= MOST_FILES && ![...times.values()].includes(0) ? times : new Map();
}
