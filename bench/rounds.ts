import type { LoadFigures } from './load.ts';

/** The middle value; of an even number of values the upper of the two in the middle. */
export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;

/** Each figure's median over the rounds. */
export const middle = (rounds: readonly LoadFigures[]): LoadFigures => ({
  perSecond: median(rounds.map(({ perSecond }) => perSecond)),
  p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
  p95Ms: median(rounds.map(({ p95Ms }) => p95Ms)),
  p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
});

/** To two decimals. */
export const ratio = (value: number, floor: number): number => Math.round((value / floor) * 100) / 100;
