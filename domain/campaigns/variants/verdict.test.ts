import { expect } from 'chai';
import { logEvidence } from './evidence.ts';
import { leaderOf, verdictOf } from './verdict.ts';

const arm = (converted: number, contacts = 1000) => ({ contacts, converted });

describe('what variants show', () => {
  it('has the one with the largest share as its leader, and none while that is several or nobody converted', () => {
    expect(leaderOf([arm(3), arm(5), arm(4)])).to.equal(1);
    expect(leaderOf([arm(50, 1000), arm(20, 200)])).to.equal(1);
    expect(leaderOf([arm(5), arm(5), arm(4)])).to.equal(null);
    expect(leaderOf([arm(0), arm(0)])).to.equal(null);
    expect(leaderOf([arm(0, 0), arm(0, 0)])).to.equal(null);
  });

  it('is too little below the least number of conversions, however clear', () => {
    expect(verdictOf([arm(0), arm(99)], 100).verdict).to.equal('too_few');
    expect(verdictOf([arm(0), arm(99)], 99)).to.include({ verdict: 'proven', leader: 1 });
  });

  it('of two is proven from twenty times on that no difference explains it less', () => {
    const leads = Array.from({ length: 60 }, (_, lead) => [arm(50), arm(50 + lead)] as const);
    for (const [one, other] of leads) {
      const { verdict, chance } = verdictOf([one, other], 0);
      const evidence = Math.exp(logEvidence(one, other));
      expect(verdict).to.equal(evidence >= 20 && other.converted > 50 ? 'proven' : 'undecided');
      expect(chance).to.be.closeTo(other.converted === 50 ? 1 : Math.min(1, 1 / evidence), 1e-9);
    }
    expect(verdictOf([...(leads[0] ?? [])], 0)).to.deep.equal({ verdict: 'undecided', leader: null, chance: 1 });
  });

  it('of more than two needs the leader to be ahead of each, and of all others together', () => {
    const clear = [arm(120), arm(60), arm(62), arm(58)];
    expect(verdictOf(clear, 0)).to.include({ verdict: 'proven', leader: 0 });
    expect(verdictOf([...clear, arm(115)], 0)).to.include({ verdict: 'undecided', leader: 0 });
    const three = [arm(90), arm(57), arm(57)];
    const pairs = 1 / Math.exp(logEvidence(arm(90), arm(57)));
    const together = 3 / Math.exp(logEvidence(arm(90), arm(114, 2000)));
    expect(verdictOf(three, 0).chance).to.be.closeTo(Math.max(pairs, together), 1e-9);
  });
});
