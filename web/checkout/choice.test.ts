import { expect } from 'chai';
import type { OrderData } from '#domain/orders/responses.ts';
import { isChoosable, nothingChosen, orderAgain, orderWith } from './choice.ts';

const order: OrderData = {
  orderId: 'o-1',
  orderNo: '20261122-AAAAAAAAAA',
  tenantId: 'harbor',
  title: 'Mugs',
  description: null,
  moneyAmount: 960,
  grossMoneyAmount: 960,
  totalMoney: 960,
  tenantName: 'Harbor Coffee',
  currency: 'TWD',
  pointsPlan: { tenantPoints: 0, districtPoints: 0, walletPoints: 0, couponIds: [], earnLimitInfos: [] },
  items: [
    {
      lineId: '1',
      refundedQty: 0,
      goodsId: 'mug',
      name: 'Mug',
      qty: 2,
      paymentOptionId: 'mug',
      point: 0,
      points: 0,
      moneyAmount: 960,
    },
  ],
  carrierId: '/ABC1234',
  carrierType: '3J0002',
  npoban: null,
  buyerIdentifier: null,
  buyerName: 'Ada',
  paymentUrl: null,
  resultURL: null,
  cancelURL: null,
  underReview: false,
  received: null,
  expiresAt: null,
  createdAt: '2026-11-22T00:00:00Z',
  orderStatus: 0,
  pointsStatus: 0,
  paymentStatus: 0,
};
const planned = { ...order, pointsPlan: { ...order.pointsPlan, tenantPoints: 40 } };

describe('choosing points and coupons', () => {
  it('is offered for unpaid goods without a plan, and again for what this checkout made', () => {
    expect(isChoosable(order, false)).to.equal(true);
    expect(isChoosable(planned, false)).to.equal(false);
    expect(isChoosable(planned, true)).to.equal(true);
    expect(isChoosable({ ...order, items: [] }, false), 'no goods').to.equal(false);
    expect(isChoosable({ ...order, orderStatus: 20 }, true), 'being paid').to.equal(false);
  });

  it('orders the same lines for the same buyer, and leaves the amounts to the service', () => {
    expect(orderWith(order, { ...nothingChosen, tenantPoints: 100, couponIds: ['c-1'] })).to.deep.equal({
      tenantId: 'harbor',
      title: 'Mugs',
      description: null,
      items: [{ goodsId: 'mug', qty: 2, paymentOptionId: 'mug' }],
      pointsPlan: { tenantPoints: 100, walletPoints: 0, couponIds: ['c-1'] },
      carrierId: '/ABC1234',
      npoban: null,
      buyerIdentifier: null,
      buyerName: 'Ada',
    });
  });

  it('orders the same once more: goods at their amounts of then, and money alone as its shop said', () => {
    const { tenantId, title, description, carrierId, npoban, buyerIdentifier, buyerName, pointsPlan } = planned;
    const alike = { tenantId, title, description, carrierId, npoban, buyerIdentifier, buyerName, pointsPlan };
    expect(orderAgain(planned)).to.deep.equal({
      ...alike,
      items: [{ goodsId: 'mug', qty: 2, paymentOptionId: 'mug' }],
    });
    expect(orderAgain({ ...planned, items: [] })).to.deep.equal({ ...alike, grossMoneyAmount: 960, moneyAmount: 960 });
    expect(orderAgain({ ...planned, items: [], grossMoneyAmount: 0, totalMoney: 0 })).to.deep.equal(alike);
  });
});
