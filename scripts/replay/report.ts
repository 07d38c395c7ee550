import { msToNumber } from '@temporalio/common/lib/time.js';
import type { Replayed } from './gate.ts';

/** How long ago a run may have ended and still be replayed, if nobody says otherwise. */
export const RECENT = '7d';

/**
 * The moment that is this long before now: `7d`, `12h`, `30 minutes`.
 * @throws Error naming the option if it is not a length of time.
 */
export function beginningOf(since: string, now: Date): Date {
  const length = lengthOf(since);
  if (!(length > 0)) throw new Error(`--since: must be a length of time such as 7d or 12h, not ${since}`);
  return new Date(now.getTime() - length);
}

function lengthOf(since: string): number {
  try {
    return msToNumber(since as '7d');
  } catch {
    return Number.NaN;
  }
}

function countsOf(runs: readonly Replayed[]): string[] {
  const types = [...new Set(runs.map(({ type }) => type))].toSorted();
  return types.map((type) => {
    const those = runs.filter((run) => run.type === type);
    return `  ${type}: ${those.length}, of which ${those.filter(({ continues }) => continues).length} go on`;
  });
}

/** For people: how many runs of each type were replayed, and of each that differs its type, ids and first difference. */
export function reportOf(runs: readonly Replayed[]): string {
  const different = runs.filter(({ difference }) => difference !== undefined);
  const lines = different.map(
    ({ type, workflowId, runId, continues, difference }) =>
      `✘ ${type} ${workflowId} (run ${runId}${continues ? ', goes on' : ''}): ${difference?.split('\n')[0]}`,
  );
  return [
    `Replayed ${runs.length} runs:`,
    ...countsOf(runs),
    ...lines,
    different.length === 0 ? 'All of them replay.' : `${different.length} of them differ: do not release this.`,
  ].join('\n');
}
