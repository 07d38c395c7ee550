import { expect } from 'chai';
import { everyDay } from './every-day.ts';

describe('the days of an automation', () => {
  const day = (date: string, entered: number) => ({ date, entered, sent: 0, skipped: 0, clicks: 0 });

  it('follow one another, those on which nothing happened included', () => {
    const days = everyDay([day('2026-02-27', 3), day('2026-03-02', 1)]);
    expect(days.map(({ at, entered }) => [at.slice(0, 10), entered])).to.deep.equal([
      ['2026-02-27', 3],
      ['2026-02-28', 0],
      ['2026-03-01', 0],
      ['2026-03-02', 1],
    ]);
    expect(everyDay([])).to.deep.equal([]);
  });

  it('stay as they are where there are very many', () => {
    expect(everyDay([day('2016-01-01', 1), day('2026-01-01', 1)]).length).to.equal(2);
  });
});
