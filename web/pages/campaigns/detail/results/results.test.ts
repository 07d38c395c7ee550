import { expect } from 'chai';
import { outcomesOf } from '#test/support/outreach/outcomes.ts';
import type { Results } from '#domain/api/campaign.ts';
import { resultsCsv } from './csv.ts';
import { funnelOf } from './funnel.ts';
import { everyHour } from './hours.ts';

const results: Results = {
  status: 'completed',
  preparing: { contacts: 0 },
  outcomes: outcomesOf(),
  audienceCount: 100,
  subTasks: {},
  summary: { sent: 90, delivered: 80, failed: 10, read: 40 },
  startedAt: null,
  finishedAt: null,
  clicks: {
    total: 25,
    repeats: 5,
    uniqueContacts: 20,
    byAction: [{ messageIndex: 0, actionIndex: 1, label: '=cmd, "x"', clicks: 25, uniqueContacts: 20 }],
    byBizEventCode: [{ bizEventCode: 'coupon', clicks: 25, uniqueContacts: 20 }],
    series: [{ at: '2026-11-24T01:00:00Z', clicks: 25 }],
  },
  conversations: { opened: 4, closed: 1 },
  tagged: [{ tagId: 'tag-1', contacts: 3 }],
  revenue: null,
  byCase: null,
};

describe('results', () => {
  it('goes from the audience to conversions, each with what it is a share of', () => {
    expect(funnelOf(results).map(({ step, count, base }) => [step, count, base && base.count])).to.deep.equal([
      ['audience', 100, null],
      ['sent', 90, 100],
      ['delivered', 80, 90],
      ['read', 40, 80],
      ['clicked', 20, 80],
      ['conversation', 4, 20],
      ['conversion', 3, 20],
    ]);
  });

  it('shows the hours without clicks as well, and loses none', () => {
    const series = [
      { at: '2026-11-24T01:00:00Z', clicks: 3 },
      { at: '2026-11-24T04:00:00Z', clicks: 2 },
    ];
    expect(everyHour(series).map(({ clicks }) => clicks)).to.deep.equal([3, 0, 0, 2]);
    expect(everyHour([])).to.deep.equal([]);
    expect(everyHour(series.slice(0, 1))).to.deep.equal(series.slice(0, 1));
  });

  it('writes CSV that spreadsheets do not execute', () => {
    const csv = resultsCsv(results, () => '@Fans');
    expect(csv).to.include(`button,1.2,"'=cmd, ""x""",25,20`);
    expect(csv).to.include(`tag,tag-1,'@Fans,,3`);
    expect(csv.split('\r\n')).to.have.length(1 + 7 + 1 + 1 + 1 + 1 + 2 + 2 + 1);
  });
});
