import { expect } from 'chai';
import { useOrders } from '#test/support/fixtures/orders.ts';
import { ok, staff } from '../support/shop.ts';

describe('The currency of an order', () => {
  const shop = useOrders({
    tenants: { shop: { currency: 'USD' }, owner: { currency: 'USD' }, local: {} },
    points: { wallet: 40 },
  });
  const cash = { grossMoneyAmount: 10, moneyAmount: 10 };
  const put = (tenantId: string, currency: unknown) =>
    shop.request('PUT', `/admin/tenants/${tenantId}`, { name: 'x', businessType: 0, currency }, staff(tenantId));

  it('B2: is the tenant’s at create, shown by item, and charged whatever the tenant says later', async () => {
    const order = await shop.create('shop', cash);
    expect(await shop.item(order, 'shop')).to.include({ currency: 'USD' });
    await shop.putTenant('shop', { currency: 'EUR' });
    expect(await shop.item(order, 'shop')).to.include({ currency: 'USD' });
    const later = await shop.create('shop', cash);
    expect(await shop.item(later, 'shop')).to.include({ currency: 'EUR' });
    ok(await shop.payUntilKnown(order, 'shop'));
    expect(shop.gateway.chargeOf(order.orderNo)).to.include({ currency: 'USD', amount: 10 });
    await shop.gateway.pay(order.orderNo);
    await shop.until(order, 'shop', '30/30/30');
    ok(await shop.payUntilKnown(later, 'shop'));
    expect(shop.gateway.chargeOf(later.orderNo)).to.include({ currency: 'EUR' });
    await shop.putTenant('shop', { currency: 'USD' });
  });

  it('B2: is TWD where the tenant names none', async () => {
    expect(await shop.item(await shop.create('local', cash), 'local')).to.include({ currency: 'TWD' });
  });

  it('B2: is an ISO 4217 code in use, with two decimals', async () => {
    for (const currency of ['TWD', 'USD', 'EUR', 'GBP', 'CHF', 'HKD', 'CNY', 'SGD', 'HUF', 'XCD'])
      expect((await put('codes', currency)).code, currency).to.equal(1000);
    const wrong = ['JPY', 'KRW', 'ISK', 'KWD', 'TND', 'CLF', 'XXX', 'XAU', 'ABC', 'DEM', 'HRK', 'usd', 'USD ', '', 840];
    for (const currency of wrong) {
      const { code, errors } = await put('codes', currency);
      expect([code, errors?.[0]?.path], String(currency)).to.deep.equal([90001, '/currency']);
    }
  });

  it('B2: goods of a tenant with another currency are not sold: 90201', async () => {
    await shop.putGoods('mug', 'owner');
    const create = () => shop.post('/user/order/create', { tenantId: 'shop', items: [{ goodsId: 'mug' }] });
    ok(await create());
    await shop.putTenant('owner', { currency: 'EUR' });
    const orders = () => shop.database('customer_order').count();
    const before = await orders();
    expect(await create()).to.include({ status: 400, code: 90201 });
    expect(await orders()).to.deep.equal(before);
    await shop.putTenant('shop', { currency: 'EUR' });
    ok(await create());
  });
});
