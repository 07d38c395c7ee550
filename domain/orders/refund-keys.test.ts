import { expect } from 'chai';
import { ownRefundIds, refundKey } from './refund-keys.ts';

describe('keys of refunds', () => {
  it('name their refund, whatever number they have and whatever its id looks like', () => {
    for (const refundId of ['019a', 'ch-1', 'ch:2', 'a:b:7', 'refund:x'])
      for (const keyNumber of [1, 2, 31]) expect(ownRefundIds(refundKey({ refundId, keyNumber }))).to.include(refundId);
  });

  it('of others name none', () => {
    for (const key of [null, '', 'refund:', 'charge:o:1', 'desk'])
      expect(ownRefundIds(key), String(key)).to.deep.equal([]);
  });
});
