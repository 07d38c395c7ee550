import { expect } from 'chai';
import { useOrders } from '../support/fixtures/orders.ts';
import { tokenFor } from './support/orders-service.ts';
import { staff } from './support/shop.ts';

describe('Files with orders', () => {
  const shop = useOrders({ tenants: { shop: {}, other: {} }, exportsPerMinute: 2 });
  const read = (who: Parameters<typeof tokenFor>[0], path = '/admin/orders.csv') =>
    fetch(`${shop.base}${path}`, { headers: { Authorization: `Bearer ${tokenFor(who)}` } });

  it('more than their share get 429 with Retry-After, whoever calls the service; others and lists do not', async () => {
    const order = await shop.create('shop', { grossMoneyAmount: 100, moneyAmount: 100 });
    for (let count = 0; count < 2; count += 1)
      expect(await (await read(staff('shop'))).text()).to.include(String(order.orderId));
    const refused = await read(staff('shop'));
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
    expect(refused.headers.get('content-disposition')).to.equal(null);
    expect(await refused.json()).to.include({ code: 90029, data: null });
    expect((await read(staff('shop'), '/admin/orders')).status, 'the list').to.equal(200);
    expect((await read({ ...staff('shop'), userId: 's-2' })).status, 'somebody else').to.equal(200);
    expect((await read(staff('other'))).status, 'another tenant').to.equal(200);
  });
});
