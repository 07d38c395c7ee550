import { elapsed } from '../elapsed.ts';

const ROUNDS = 21;

/** Milliseconds of the work, several times: the middle and the 95th of a hundred. */
export async function times(work: () => Promise<unknown>, rounds = ROUNDS): Promise<{ p50Ms: number; p95Ms: number }> {
  const taken: number[] = [];
  await work();
  for (let round = 0; round < rounds; round += 1) taken.push((await elapsed(work))[1] * 1000);
  const sorted = taken.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? NaN);
  return { p50Ms: at(0.5), p95Ms: at(0.95) };
}
