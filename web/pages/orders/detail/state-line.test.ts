import { expect } from 'chai';
import { stretchesOf } from './state-line.ts';

const instant = (orderStatus: number, pointsStatus: number, paymentStatus: number) => ({
  orderStatus,
  pointsStatus,
  paymentStatus,
  at: '2026-11-21T12:00:00Z',
  attempt: 1,
});

describe("the line of an order's states", () => {
  const history = [instant(0, 0, 0), instant(20, 10, 10), instant(40, 40, 50), instant(40, 40, 60)];

  it('joins moments in which an axis did not change', () => {
    expect(stretchesOf(history, 'order')).to.deep.equal([
      { name: 'CREATED', code: 0, from: 0, length: 1 },
      { name: 'PAYMENT_PENDING', code: 20, from: 1, length: 1 },
      { name: 'FAILED', code: 40, from: 2, length: 2 },
    ]);
    expect(stretchesOf(history, 'payment').map(({ name }) => name)).to.deep.equal([
      'NONE',
      'PENDING',
      'REFUND_PENDING',
      'REFUNDED',
    ]);
  });

  it('covers all time once, and distinguishes a status that came back from one that stayed', () => {
    const back = [...history.slice(0, 2), instant(0, 0, 0)];
    expect(stretchesOf(back, 'order').map(({ from, length }) => [from, length])).to.deep.equal([
      [0, 1],
      [1, 1],
      [2, 1],
    ]);
    expect(stretchesOf([], 'order')).to.deep.equal([]);
  });
});
