import { expect } from 'chai';
import { firstRow } from '#db/database.ts';
import { useOrders } from '../support/fixtures/orders.ts';
import { ok, staff } from './support/shop.ts';

interface Change {
  delta: number | null;
  stock: number | null;
  orderId: string | null;
  orderTitle: string | null;
  actor: string | null;
}

/** Points and stock that a refund gives back go back once, however many refunds ask for it. */
describe('What refunds give back', function () {
  this.timeout(180_000);
  const shop = useOrders({ points: { tenant: 100 } });
  const option = { paymentOptionId: 'o', name: 'DEFAULT', pointAmount: 2, cashAmount: 5 };
  let serial = 0;

  beforeEach(() => {
    shop.gateway.state.fault = () => undefined;
  });

  async function completed() {
    const goodsId = `cup-${(serial += 1)}`;
    await shop.putGoods(goodsId, 'shop', { stock: 4, paymentOptions: [option] });
    const order = await shop.create('shop', { items: [{ goodsId, qty: 3 }], pointsPlan: { tenantPoints: 6 } });
    ok(await shop.payUntilKnown(order, 'shop'));
    await shop.gateway.pay(order.orderNo);
    await shop.until(order, 'shop', '30/30/30');
    return { order, goodsId };
  }

  const refund = (order: { orderId: string }, body: object) =>
    shop.post(
      `/admin/orders/${order.orderId}/refund`,
      { reason: 'a test', key: `r-${(serial += 1)}`, ...body },
      staff('shop'),
    );
  const stockOf = async (goodsId: string) =>
    (await firstRow<{ stock: number }>(shop.database, 'select stock from goods where goods_id = :goodsId', { goodsId }))
      ?.stock;

  it('B7: points that a refund under way gives back are not given back by a second one, which would stop the first', async () => {
    const { order, goodsId } = await completed();
    const { available } = (await shop.points('shop')).tenant;
    shop.gateway.state.fault = ({ operation }) => (operation === 'refund' ? { response: [503, {}] } : undefined);
    ok(await refund(order, { restorePoints: true, restock: true }));
    expect((await refund(order, { restorePoints: true })).code).to.equal(90001);
    expect((await refund(order, { restorePoints: true, restock: true })).code).to.equal(90001);
    shop.gateway.state.fault = () => undefined;
    await shop.until(order, 'shop', '30/50/60');
    expect((await shop.points('shop')).tenant.available).to.equal(available + 6);
    expect(await stockOf(goodsId)).to.equal(4);
  });

  it('B7: goods go back to stock once', async () => {
    const { order, goodsId } = await completed();
    ok(await refund(order, { restock: true }));
    await shop.until(order, 'shop', '30/30/60');
    expect(await stockOf(goodsId)).to.equal(4);
    expect((await refund(order, { restorePoints: true, restock: true })).code).to.equal(90001);
    ok(await refund(order, { restorePoints: true }));
    await shop.until(order, 'shop', '30/50/60');
    expect(await stockOf(goodsId)).to.equal(4);
  });

  it('B11: the history of a stock explains its figure: what was sold, what was put back, and what staff did', async () => {
    const { order, goodsId } = await completed();
    ok(
      await shop.post(
        `/admin/goods/${goodsId}/stock`,
        { delta: 7, reason: 'Delivery', key: `d-${goodsId}` },
        staff('shop'),
      ),
    );
    const free = { paymentOptionId: 'free', name: 'DEFAULT', pointAmount: 1, cashAmount: 0 };
    await shop.putGoods(goodsId, 'shop', { stock: undefined, paymentOptions: [free] });
    const gift = await shop.create('shop', {
      items: [{ goodsId, qty: 2 }],
      pointsPlan: { tenantPoints: 2 },
      title: 'A gift',
    });
    ok(await shop.payUntilKnown(gift, 'shop'));
    ok(await refund(order, { restock: true }));
    await shop.until(order, 'shop', '30/30/60');
    await shop.putGoods(goodsId, 'shop', { stock: null, paymentOptions: [free] });
    const unlimited = await shop.create('shop', { items: [{ goodsId, qty: 1 }], pointsPlan: { tenantPoints: 1 } });
    ok(await shop.payUntilKnown(unlimited, 'shop'));
    const { data } = ok(await shop.request('GET', `/admin/goods/${goodsId}/stock`, undefined, staff('shop')));
    const { items } = data as unknown as { items: Change[] };
    const told = items.map(({ delta, stock, orderTitle, actor }) => [delta, stock, orderTitle ?? actor]);
    const by = 's-1';
    expect(told).to.deep.equal([
      [null, null, by],
      [3, 9, order.orderNo],
      [-2, 6, 'A gift'],
      [7, 8, by],
      [-3, 1, order.orderNo],
      [4, 4, by],
    ]);
    expect(items.every(({ orderId, actor }) => (orderId === null) === (actor !== null))).to.equal(true);
  });
});
