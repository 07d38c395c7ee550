import { type Arm } from '#domain/campaigns/variants/evidence.ts';
import { leaderOf, verdictOf } from '#domain/campaigns/variants/verdict.ts';

/** A test that is simulated: what each variant is sent to, and which share of them is going to convert. */
export interface Setting {
  name: string;
  contacts: number[];
  shares: number[];
  minimum: number;
}

/** Names a winner, by its position, or none yet. */
export type Decision = (arms: readonly Arm[], minimum: number) => number | null;

/** What the product does. */
export const sequentially: Decision = (arms, minimum) => {
  const { verdict, leader } = verdictOf(arms, minimum);
  return verdict === 'proven' ? leader : null;
};

/** What the product must not do: a test for one look, the two-proportion z-test of 5 %, at every look. */
export const byPeeking: Decision = (arms, minimum) => {
  const leader = leaderOf(arms);
  const best = leader === null ? undefined : arms[leader];
  if (!best || arms.reduce((sum, { converted }) => sum + converted, 0) < minimum) return null;
  const isAhead = arms.every((other, index) => {
    if (index === leader) return true;
    const pooled = (best.converted + other.converted) / (best.contacts + other.contacts);
    const error = Math.sqrt(pooled * (1 - pooled) * (1 / best.contacts + 1 / other.contacts));
    return best.converted / best.contacts - other.converted / other.contacts > 1.959_964 * error;
  });
  return isAhead ? leader : null;
};

/** Random numbers from 0 to 1 that a seed repeats (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * The variants of those who convert, in the order in which they do: most soon after the message, some after days, more in the
 * day than at night. Whether the variants are alike decides nothing but how many they are.
 */
function conversionsOf({ contacts, shares }: Setting, random: () => number): number[] {
  const found: { arm: number; at: number }[] = [];
  for (const [arm, count] of contacts.entries()) {
    for (let contact = 0; contact < count; contact += 1) {
      if (random() >= (shares[arm] ?? 0)) continue;
      const hours = -2 * Math.log(1 - random()) * (random() < 0.2 ? 12 : 1);
      found.push({ arm, at: hours % 24 > 14 ? hours + 8 * random() : hours });
    }
  }
  return found.toSorted((one, other) => one.at - other.at).map(({ arm }) => arm);
}

/** One test, looked at after each conversion. @returns its winner and after how many conversions, or null. */
export function simulate(
  setting: Setting,
  decide: Decision,
  random: () => number,
): { winner: number; conversions: number } | null {
  const arms = setting.contacts.map((contacts) => ({ contacts, converted: 0 }));
  for (const [index, arm] of conversionsOf(setting, random).entries()) {
    const one = arms[arm];
    if (one) one.converted += 1;
    const winner = decide(arms, setting.minimum);
    if (winner !== null) return { winner, conversions: index + 1 };
  }
  return null;
}

export interface Simulated {
  setting: Setting;
  tests: number;
  /** Shares of the tests: with a winner at all, and with one that is not the best. */
  decided: number;
  wrong: number;
  /** Half of the decided tests needed at most so many conversions; absent if none was decided. */
  medianConversions?: number;
}

/** Simulates so many tests. */
export function simulateMany(
  setting: Setting,
  decide: Decision,
  { tests, seed }: { tests: number; seed: number },
): Simulated {
  const random = seeded(seed);
  const most = Math.max(...setting.shares);
  const isOnlyBest = (arm: number) =>
    setting.shares[arm] === most && setting.shares.filter((share) => share === most).length === 1;
  const decided = Array.from({ length: tests }, () => simulate(setting, decide, random)).filter((one) => one !== null);
  const needed = decided.map(({ conversions }) => conversions).toSorted((one, other) => one - other);
  const medianConversions = needed[Math.floor(needed.length / 2)];
  return {
    setting,
    tests,
    decided: decided.length / tests,
    wrong: decided.filter(({ winner }) => !isOnlyBest(winner)).length / tests,
    ...(medianConversions === undefined ? {} : { medianConversions }),
  };
}
