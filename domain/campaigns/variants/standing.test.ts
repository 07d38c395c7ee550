import { expect } from 'chai';
import { type TestFacts, testStanding } from './standing.ts';

const now = new Date('2026-11-26T08:00:00Z');
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);

type Winner = Partial<TestFacts['variants']['winner']>;

function standing(facts: Partial<TestFacts> = {}, winner: Winner = {}): [string, string | null] {
  const { state, reason } = testStanding(
    {
      variants: {
        name: 'A',
        sharePercent: 10,
        others: [{ name: 'B', sharePercent: 10, messages: [{ type: 'text', text: 'B' }] }],
        winner: {
          by: { type: 'clicks' },
          decide: 'automatic',
          afterHours: 24,
          otherwise: 'hand',
          minimum: 0,
          ...winner,
        },
      },
      decided: null,
      over: null,
      preparing: false,
      left: true,
      arms: ['sent', 'sent'],
      contacts: 100,
      since: hoursAgo(1),
      verdict: 'undecided',
      ...facts,
    },
    now,
  );
  return [state, reason];
}

describe('where a test of variants stands', () => {
  it('is decided or ended for good', () => {
    expect(standing({ decided: 'best', over: 'closed' })).to.deep.equal(['decided', 'best']);
    expect(standing({ over: 'cancelled', preparing: true })).to.deep.equal(['ended', 'cancelled']);
    expect(standing({ left: false })).to.deep.equal(['ended', 'nothing_left']);
  });

  it('waits until every variant has begun or was refused', () => {
    expect(standing({ preparing: true, left: false })).to.deep.equal(['waiting', null]);
    expect(standing({ arms: ['sent', 'waits'] })).to.deep.equal(['waiting', null]);
    expect(standing({ arms: ['sent', 'waits'], left: false })).to.deep.equal(['waiting', null]);
    expect(standing({ arms: ['sent', 'waits'] }, { decide: 'hand' })).to.deep.equal(['waiting', null]);
    expect(standing({ arms: ['unknown', 'unknown'], since: null })).to.deep.equal(['waiting', null]);
  });

  it('asks at once where fewer than two variants can be sent', () => {
    expect(standing({ arms: ['sent', 'refused'] })).to.deep.equal(['asking', 'arms_refused']);
    expect(standing({ arms: ['waits', 'refused'] })).to.deep.equal(['asking', 'arms_refused']);
    expect(standing({ arms: ['refused', 'refused'], since: null })).to.deep.equal(['asking', 'arms_refused']);
    expect(standing({ arms: ['empty', 'empty'], since: null })).to.deep.equal(['asking', 'arms_refused']);
    expect(standing({ arms: ['sent', 'refused', 'sent'] })).to.deep.equal(['running', null]);
  });

  it('asks where nothing more can be decided by itself', () => {
    expect(standing({}, { decide: 'hand' })).to.deep.equal(['asking', 'by_hand']);
    expect(standing({ contacts: 100 }, { minimum: 101 })).to.deep.equal(['asking', 'minimum_out_of_reach']);
    expect(standing({ contacts: 100 }, { minimum: 100 })).to.deep.equal(['running', null]);
    expect(standing({ contacts: 100 }, { minimum: 101, otherwise: 'best' })).to.deep.equal(['running', null]);
    expect(standing({ since: hoursAgo(24) })).to.deep.equal(['asking', 'time_over']);
    expect(standing({ since: hoursAgo(24), verdict: 'proven' })).to.deep.equal(['running', null]);
    expect(standing({ since: hoursAgo(24) }, { otherwise: 'best' })).to.deep.equal(['running', null]);
  });
});
