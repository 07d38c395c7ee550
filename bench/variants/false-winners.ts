import { withEffect, withoutEffect } from './settings.ts';
import { byPeeking, sequentially, type Simulated, simulateMany } from './simulation.ts';

const SEED = 20_261_126;

const shown = ({ setting: { name }, decided, wrong, medianConversions = 0 }: Simulated) => ({
  name,
  decided,
  wrong,
  medianConversions,
});

/** How often tests of variants name a false winner if looked at after each conversion, and how often the right one. */
export function falseWinners({ tests = 2000 }: { tests?: number }): Promise<object> {
  const many = { tests, seed: SEED };
  return Promise.resolve({
    tests,
    withoutEffect: withoutEffect.map((setting) => ({
      ...shown(simulateMany(setting, sequentially, many)),
      wrongByPeeking: simulateMany(setting, byPeeking, many).wrong,
    })),
    withEffect: withEffect.map((setting) => shown(simulateMany(setting, sequentially, many))),
  });
}
