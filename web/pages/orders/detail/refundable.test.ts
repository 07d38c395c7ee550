import { expect } from 'chai';
import { amountOf, refundableOf } from './refundable.ts';

const plan = { tenantPoints: 40, districtPoints: 0, walletPoints: 0, couponIds: [], earnLimitInfos: [] };
const none = { ...plan, tenantPoints: 0 };
const done = { orderStatus: 30, pointsStatus: 30, pointsPlan: plan, refundable: 12.5, refunds: [] };

describe('what can be refunded of an order', () => {
  it('is what is left of the money, with points or coupons where the order took any', () => {
    expect(refundableOf(done)).to.deep.equal({ amount: 12.5, points: true });
    expect(refundableOf({ ...done, pointsPlan: none })).to.deep.equal({ amount: 12.5, points: false });
    expect(refundableOf({ ...done, pointsPlan: { ...none, couponIds: ['c-1'] } })?.points).to.equal(true);
    expect(refundableOf({ ...done, pointsStatus: 50 })?.points, 'already returned').to.equal(false);
  });

  it('is only points where no money is left, and nothing where all went back or is on its way', () => {
    const noMoney = { ...done, refundable: 0 };
    expect(refundableOf(noMoney)).to.deep.equal({ amount: 0, points: true });
    expect(refundableOf({ ...noMoney, pointsStatus: 50 })).to.equal(null);
    expect(refundableOf({ ...noMoney, refunds: [{ restorePoints: true, lines: null }] })).to.equal(null);
    const ofPieces = { restorePoints: true, lines: [{ lineId: '1', qty: 1 }] };
    expect(refundableOf({ ...noMoney, refunds: [ofPieces] })).to.deep.equal({ amount: 0, points: true });
    expect(refundableOf({ ...done, orderStatus: 40 })).to.equal(null);
  });

  it('is typed with at most 2 decimals', () => {
    expect(['12.5', ' 7 ', '0.01'].map(amountOf)).to.deep.equal([12.5, 7, 0.01]);
    expect(['', '0', '-1', '1.234', '1e3', '1,5'].map(amountOf)).to.deep.equal([null, null, null, null, null, null]);
  });
});
