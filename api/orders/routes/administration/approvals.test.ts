import { expect } from 'chai';
import { requireAnother } from './approvals.ts';

describe('a refund that waits for an approval', () => {
  const decide = (userId: string, outcome: 'approve' | 'reject' | 'withdraw') => () =>
    requireAnother({ requestedBy: 'anna' }, { userId }, outcome);

  it('is approved or rejected by somebody else, and withdrawn by whoever asked', () => {
    for (const outcome of ['approve', 'reject'] as const) {
      expect(decide('ben', outcome)).to.not.throw();
      expect(decide('anna', outcome)).to.throw('Somebody else has to decide on it').with.property('code', 90003);
    }
    expect(decide('anna', 'withdraw')).to.not.throw();
    expect(decide('ben', 'withdraw')).to.throw('Only whoever asked can withdraw it').with.property('code', 90003);
  });
});
