import { expect } from 'chai';
import { asLines, typedPieces, worthOf } from './pieces.ts';

const item = { goodsId: 'g', name: 'G', paymentOptionId: 'o', point: 0, points: 0 };
const order = {
  totalMoney: 19,
  items: [
    { ...item, lineId: '1', qty: 1, refundedQty: 0, moneyAmount: 10 },
    { ...item, lineId: '2', qty: 3, refundedQty: 1, moneyAmount: 21 },
    { ...item, lineId: '3', qty: 2, refundedQty: 0, moneyAmount: 0 },
  ],
};

describe('pieces of an order to refund', () => {
  it('are whole numbers, at most what is left of each line', () => {
    expect(typedPieces(order, ['1', ' 2 ', ''])).to.deep.equal([1, 2, 0]);
    expect(typedPieces(order, [])).to.deep.equal([0, 0, 0]);
    for (const typed of [['2'], ['', '3'], ['x'], ['-1'], ['0.5']]) expect(typedPieces(order, typed)).to.equal(null);
  });

  it('are worth their share of what was paid', () => {
    expect(worthOf(order, [1, 0, 0])).to.deep.equal({ amount: 6.13, isFree: false });
    expect(worthOf(order, [0, 2, 0])).to.deep.equal({ amount: 8.58, isFree: false });
    expect(worthOf(order, [0, 1, 1])).to.deep.equal({ amount: 4.29, isFree: true });
  });

  it('are named by their lines', () => {
    expect(asLines(order, [0, 2, 1])).to.deep.equal([
      { lineId: '2', qty: 2 },
      { lineId: '3', qty: 1 },
    ]);
  });
});
