import { expect } from 'chai';
import { decideStep, segmentOf, type StepFacts } from './decision.ts';

const HOUR = 3_600_000;
const sentAt = new Date('2026-11-26T08:00:00Z');
const at = (hours: number) => new Date(sentAt.getTime() + hours * HOUR);

/** A campaign of which everything was submitted and has ended. */
const over: StepFacts = {
  campaignStatus: 'completed',
  isFirst: true,
  previousStatus: 'completed',
  isRejected: false,
  startsAt: null,
  isOpen: false,
  isUnderWay: false,
  submittedAt: sentAt,
};
const second = { ...over, isFirst: false };

describe('what is decided about a step', () => {
  const day = { amount: 1, unit: 'days' } as const;
  const cases: [title: string, facts: StepFacts, hours: number, decision: object][] = [
    ['waits for its time', over, 3, { kind: 'wait', for: 'time', dueAt: at(24), lookAt: at(24) }],
    [
      'is due then, not a moment before',
      over,
      24 - 1 / HOUR,
      { kind: 'wait', for: 'time', dueAt: at(24), lookAt: at(24) },
    ],
    ['is due then', over, 24, { kind: 'due', dueAt: at(24) }],
    ['is due however late it is', over, 500, { kind: 'due', dueAt: at(24) }],
    [
      'is looked at after its whole delay while the message before is being submitted',
      { ...over, isOpen: true },
      3,
      { kind: 'wait', for: 'submission', dueAt: null, lookAt: at(27) },
    ],
    [
      'counts from the start of a scheduled one',
      { ...over, isOpen: true, submittedAt: null, startsAt: at(100) },
      3,
      { kind: 'wait', for: 'submission', dueAt: null, lookAt: at(124) },
    ],
    [
      'waits where nothing is at the platform',
      { ...over, submittedAt: null },
      0,
      { kind: 'wait', for: 'submission', dueAt: null, lookAt: at(24) },
    ],
    [
      'waits for whoever approves the step before',
      { ...second, previousStatus: 'draft' },
      30,
      { kind: 'wait', for: 'submission', dueAt: null, lookAt: at(54) },
    ],
    [
      'waits until the platform has finished, and looks every five minutes',
      { ...over, isUnderWay: true },
      25,
      { kind: 'wait', for: 'outcome', dueAt: at(24), lookAt: new Date(at(25).getTime() + 300_000) },
    ],
    [
      'follows one that failed in part',
      { ...over, campaignStatus: 'partially_failed' },
      24,
      { kind: 'due', dueAt: at(24) },
    ],
    [
      'follows nothing that was deleted',
      { ...second, previousStatus: null },
      1,
      { kind: 'end', reason: 'previous_deleted' },
    ],
  ];
  for (const status of ['cancelled', 'failed', 'closed'] as const) {
    cases.push([
      `ends with a campaign that is ${status}`,
      { ...second, campaignStatus: status },
      30,
      { kind: 'end', reason: `campaign_${status}` },
    ]);
    cases.push([
      `ends with a step before that is ${status}`,
      { ...second, previousStatus: status },
      30,
      { kind: 'end', reason: `previous_${status}` },
    ]);
  }
  for (const [title, facts, hours, decision] of cases)
    it(title, () => {
      expect(decideStep(day, facts, at(hours))).to.deep.equal(decision);
    });

  it('counts hours as well as days', () => {
    expect(decideStep({ amount: 3, unit: 'hours' }, over, at(3))).to.deep.equal({ kind: 'due', dueAt: at(3) });
  });

  it('is for those whom the message before reached, by what they did about it', () => {
    const campaigns = { campaignIds: ['c'] };
    const button = { messageIndex: 0, actionIndex: 1 };
    expect(segmentOf('c', { outcome: 'clicked', ...button })).to.deep.equal({
      all: [{ reached: campaigns }, { clicked: { campaigns, ...button } }],
    });
    expect(segmentOf('c', { outcome: 'not_clicked', bizEventCode: 'BUY' })).to.deep.equal({
      all: [{ reached: campaigns }, { not: { clicked: { campaigns, bizEventCode: 'BUY' } } }],
    });
    expect(segmentOf('c', { outcome: 'conversed' })).to.deep.equal({
      all: [{ reached: campaigns }, { conversed: campaigns }],
    });
    expect(segmentOf('c', { outcome: 'not_conversed' })).to.deep.equal({
      all: [{ reached: campaigns }, { not: { conversed: campaigns } }],
    });
  });
});
