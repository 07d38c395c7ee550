import { expect } from 'chai';
import { firstRow } from '#db/database.ts';
import { ok, triple } from '../orders/support/shop.ts';
import { useOrders } from '../support/fixtures/orders.ts';

const cash = { grossMoneyAmount: 100, moneyAmount: 98, pointsPlan: { walletPoints: 8 } };

/** S1's pay request and the standard sequence; the states and errors of pay have their own files in test/orders. */
describe('S1: paying an order', () => {
  const shop = useOrders({ points: { wallet: 1000 } });

  /** Seconds from now until the hold of the order's first attempt ends, and until its charge ends. */
  async function lifetimes(orderId: string, orderNo: string) {
    const attempt = await firstRow<{ expiresAt: Date }>(
      shop.database,
      'select expires_at from payment_attempt where order_id = :orderId',
      { orderId },
    );
    if (!attempt) throw new Error(`nothing is held for ${orderNo}`);
    const until = (at: Date) => (at.getTime() - Date.now()) / 1000;
    return { hold: until(attempt.expiresAt), charge: until(new Date(shop.gateway.chargeOf(orderNo).expiresAt)) };
  }

  it('S1-R2, S1-R3, S1-EP3: create, item and pay each return 1000 with data; pay has the URL and the statuses', async () => {
    const created = ok(await shop.post('/user/order/create', { tenantId: 'shop', ...cash }));
    expect(created.status).to.equal(200);
    const request = { tenantId: 'shop', orderId: created.data.orderId };
    const read = ok(await shop.post('/user/order/item', request));
    expect(read.data).to.include({ totalMoney: 98, orderNo: created.data.orderNo });
    const paid = ok(await shop.post(`/user/order/${created.data.orderId}/pay`, { tenantId: 'shop' }));
    const charge = shop.gateway.chargeOf(created.data.orderNo);
    expect(paid.data.paymentUrl).to.equal(`http://pay.test/${charge.chargeId}`);
    expect(triple(paid.data)).to.equal('20/10/10');
    expect(charge.amount).to.equal(98);
  });

  it('S1-PY2, S1-PAY3: points are held for the requested seconds, and the charge lives no longer than that', async () => {
    const order = await shop.create('shop', cash);
    ok(await shop.pay(order, 'shop', { reserveTimeoutSeconds: 300 }));
    const { hold, charge } = await lifetimes(order.orderId, order.orderNo);
    expect(hold).to.be.within(200, 300);
    expect(charge).to.be.within(1, hold + 0.001);
  });

  it('S1-PY2: half an hour by default', async () => {
    const order = await shop.create('shop', cash);
    ok(await shop.pay(order, 'shop'));
    expect((await lifetimes(order.orderId, order.orderNo)).hold).to.be.within(1700, 1800);
  });

  it('S1-PY3, S1-PY4: the gateway gets the URLs for the payer’s return', async () => {
    const order = await shop.create('shop', cash);
    const urls = { resultURL: 'https://shop.example/done', cancelURL: 'https://shop.example/cancelled' };
    ok(await shop.pay(order, 'shop', urls));
    expect(shop.gateway.chargeOf(order.orderNo)).to.include(urls);
    const without = await shop.create('shop', cash);
    ok(await shop.pay(without, 'shop'));
    expect(shop.gateway.chargeOf(without.orderNo)).to.not.have.any.keys('resultURL', 'cancelURL');
  });
});
