import { expect } from 'chai';
import { needsApproval } from './approvals.ts';

describe('a refund by one member of staff', () => {
  const limit = { aboveMinor: 1000, currency: 'TWD' };
  const of = (amountMinor: number, more: { currency?: string; earlierMinor?: number } = {}) => ({
    amountMinor,
    currency: 'TWD',
    earlierMinor: 0,
    ...more,
  });

  it('needs no approval up to the limit, with what was given back of the order before', () => {
    expect(needsApproval(limit, of(1000))).to.equal(false);
    expect(needsApproval(limit, of(1001))).to.equal(true);
    expect(needsApproval(limit, of(400, { earlierMinor: 600 }))).to.equal(false);
    expect(needsApproval(limit, of(400, { earlierMinor: 601 }))).to.equal(true);
  });

  it('always needs one in another currency than the limit’s', () => {
    expect(needsApproval(limit, of(1, { currency: 'JPY' }))).to.equal(true);
  });

  it('needs none without a limit, or where no money goes back', () => {
    expect(needsApproval({ ...limit, aboveMinor: null }, of(1_000_000))).to.equal(false);
    expect(needsApproval(limit, of(0, { currency: 'JPY', earlierMinor: 5000 }))).to.equal(false);
  });
});
