import { expect } from 'chai';
import { FALSE_WINNERS } from '#domain/campaigns/variants/verdict.ts';
import { withEffect, withoutEffect } from './settings.ts';
import { byPeeking, sequentially, simulateMany } from './simulation.ts';

/** `npm run test:all` sets it. */
const isLong = process.env['EVERY_BENCH'] === 'on';
const tests = isLong ? 10_000 : 400;

/** More false winners than this are no chance if the test keeps to 5 %: three standard errors above. */
const most = FALSE_WINNERS + 3 * Math.sqrt((FALSE_WINNERS * (1 - FALSE_WINNERS)) / tests);

describe('tests of variants that are looked at after each conversion', function () {
  this.timeout(isLong ? 1_800_000 : 120_000);

  for (const [index, setting] of withoutEffect.entries())
    it(`name a false winner in less than 5 % without an effect: ${setting.name}`, () => {
      expect(simulateMany(setting, sequentially, { tests, seed: index + 1 }).wrong).to.be.below(most);
    });

  it('would name one far too often by a test for a single look', () => {
    const [setting] = withoutEffect.slice(1);
    if (!setting) throw new Error('There is no setting');
    expect(simulateMany(setting, byPeeking, { tests: 200, seed: 1 }).wrong).to.be.above(0.3);
  });

  it('find an effect that is there', () => {
    const found = withEffect.map((setting) => simulateMany(setting, sequentially, { tests: 100, seed: 1 }));
    expect(Math.max(...found.map(({ wrong }) => wrong))).to.be.below(0.05);
    expect(Math.min(...found.map(({ decided }) => decided))).to.be.above(0.2);
  });
});
