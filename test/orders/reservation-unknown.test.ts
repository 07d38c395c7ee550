import { expect } from 'chai';
import { eventually } from '../support/time/eventually.ts';
import { type Cut, type CuttingProxy, startCuttingProxy } from './support/cutting-proxy.ts';
import { ok, triple } from './support/shop.ts';
import { useOrders } from '../support/fixtures/orders.ts';

describe('A reservation whose commit was cut off', () => {
  const shop = useOrders({
    databaseUrl: async (url) => {
      proxy = await startCuttingProxy(url);
      return proxy.url;
    },
    points: { wallet: 1000, tenant: 1000 },
  });
  let proxy: CuttingProxy;

  after(async () => {
    await proxy.stop();
  });

  const withCash = { grossMoneyAmount: 50, moneyAmount: 49, pointsPlan: { walletPoints: 4 } };

  async function payCut(cut: Cut, order: { orderId: string }) {
    proxy.arm(cut, 'open-payment');
    const response = await shop.pay(order, 'shop');
    expect(proxy.cuts(), 'the connection was cut').to.be.greaterThan(0);
    return response;
  }

  it('S1-ST2: returns 90301 with 10/20/0, finds it written, and goes on to the charge', async () => {
    const order = await shop.create('shop', withCash);
    const response = await payCut('after-commit', order);
    expect(response).to.include({ status: 503, code: 90301 });
    expect(triple(response.data)).to.equal('10/20/0');
    await shop.until(order, 'shop', '20/10/10');
    const again = await eventually('the link is there', async () => {
      const paid = await shop.pay(order, 'shop');
      return paid.code === 1000 && paid.data.paymentUrl !== null ? paid : undefined;
    });
    expect(triple(again.data)).to.equal('20/10/10');
    expect((await shop.points('shop')).wallet.reserved).to.equal(4);
    ok(await shop.cancel(order, 'shop'));
  });

  it('returns 90301, finds it not written, and goes back to 0/0/0; the next pay is a new attempt', async () => {
    const order = await shop.create('shop', withCash);
    const response = await payCut('before-commit', order);
    expect(response.code).to.equal(90301);
    await shop.until(order, 'shop', '0/0/0');
    expect((await shop.points('shop')).wallet.reserved).to.equal(0);
    expect(triple(ok(await shop.payUntilKnown(order, 'shop')).data)).to.equal('20/10/10');
    ok(await shop.cancel(order, 'shop'));
  });

  it('an order without cash ends as it was written: done, once', async () => {
    const before = (await shop.points('shop')).tenant;
    const order = await shop.create('shop', { pointsPlan: { tenantPoints: 5 } });
    const response = await payCut('after-statement', order);
    expect(response.code).to.equal(1000);
    await shop.until(order, 'shop', '30/30/0');
    expect((await shop.points('shop')).tenant.committed).to.equal(before.committed + 5);
  });

  it('PostgreSQL is down for a while: 503 in the meantime, nothing lost afterwards', async () => {
    const order = await shop.create('shop', withCash);
    ok(await shop.payUntilKnown(order, 'shop'));
    proxy.break();
    const charge = shop.gateway.chargeOf(order.orderNo);
    charge.status = 'paid';
    expect((await shop.gateway.callback(charge)).status).to.equal(503);
    const item = await shop.post('/user/order/item', { tenantId: 'shop', orderId: order.orderId });
    expect(item).to.include({ status: 503, code: 90999, data: null });
    expect(item.requestId).to.be.a('string').that.is.not.empty;
    proxy.mend();
    await eventually('the callback is recorded', async () => {
      const told = await shop.gateway.callback(charge);
      return told.status === 200;
    });
    await shop.until(order, 'shop', '30/30/30');
  });
});
