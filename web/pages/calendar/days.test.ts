import { expect } from 'chai';
import { daysOf, turned } from './days.ts';

describe('days of a calendar', () => {
  const ends = (days: string[]) => [days[0], days.at(-1), days.length];

  it('are whole weeks from Monday on', () => {
    expect(ends(daysOf('week', '2026-11-29'))).to.deep.equal(['2026-11-23', '2026-11-29', 7]);
    expect(ends(daysOf('month', '2026-11-15'))).to.deep.equal(['2026-10-26', '2026-12-06', 42]);
    expect(ends(daysOf('month', '2027-02-28'))).to.deep.equal(['2027-02-01', '2027-02-28', 28]);
  });

  it('turn by a week or a month, also across a year', () => {
    expect([turned('week', '2026-12-30', 1), turned('week', '2027-01-02', -1)]).to.deep.equal([
      '2027-01-06',
      '2026-12-26',
    ]);
    expect([turned('month', '2026-12-31', 1), turned('month', '2027-01-31', -1)]).to.deep.equal([
      '2027-01-01',
      '2026-12-01',
    ]);
  });
});
