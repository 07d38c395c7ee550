import { expect } from 'chai';
import { Problem } from './api/problem.ts';
import { periodOf, seriesUnit } from './period.ts';

const now = new Date('2026-03-10T12:00:00Z');

describe('periods', () => {
  it('default to the last seven days, with a preceding period of the same length', () => {
    expect(periodOf({}, now)).to.deep.equal({
      previousFrom: new Date('2026-02-24T12:00:00Z'),
      from: new Date('2026-03-03T12:00:00Z'),
      to: now,
    });
    const day = periodOf({ from: '2026-03-01T00:00:00+08:00', to: '2026-03-02T00:00:00+08:00' }, now);
    expect(day.previousFrom).to.deep.equal(new Date('2026-02-27T16:00:00Z'));
    expect([seriesUnit(day), seriesUnit(periodOf({}, now))]).to.deep.equal(['hour', 'day']);
  });

  it('must go forward, be at most 366 days long and lie in this century', () => {
    for (const asked of [
      { from: '2026-03-10T12:00:00Z' },
      { from: '2026-03-11T00:00:00Z' },
      { from: '2024-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' },
      { to: '1999-01-01T00:00:00Z' },
      { to: '9999-01-01T00:00:00Z' },
    ])
      expect(() => periodOf(asked, now), JSON.stringify(asked)).to.throw(Problem);
  });
});
