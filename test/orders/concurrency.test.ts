import { expect } from 'chai';
import { firstRow } from '#db/database.ts';
import { untilKnown } from './support/shop.ts';
import { useOrders } from '../support/fixtures/orders.ts';

const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

function tally(codes: number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

/** Each paid fifty times at once; more of them only take longer. */
const ORDERS = 12;

describe('Many at once', () => {
  const shop = useOrders({ maxOpenHolds: 1000 });

  afterEach(() => shop.expectBalanced());

  it(`50 parallel pays of each of ${ORDERS} orders: as many charges and reservations as orders`, async function () {
    this.timeout(240_000);
    await shop.grant('shop', 'wallet', 4 * ORDERS);
    const orders = await times(ORDERS, () =>
      shop.create('shop', { grossMoneyAmount: 10, moneyAmount: 9, pointsPlan: { walletPoints: 4 } }),
    );
    const responses = await Promise.all(
      orders.flatMap((order) => Array.from({ length: 50 }, () => shop.payUntilKnown(order, 'shop'))),
    );
    expect(tally(responses.map(({ code }) => code))).to.deep.equal({ 1000: 50 * ORDERS });
    expect(new Set(responses.map(({ data }) => data.paymentUrl)).size).to.equal(ORDERS);
    expect(shop.gateway.charges.size).to.equal(ORDERS);
    expect(shop.gateway.of('create')).to.have.length(ORDERS);
    expect((await shop.points('shop')).wallet).to.deep.equal({ available: 0, reserved: 4 * ORDERS, committed: 0 });
    const written = await firstRow<{ count: number }>(
      shop.database,
      `select count(*) as count from ledger_entry where movement like 'reserve:%' and bucket = 'reserved'`,
      {},
    );
    expect(written?.count).to.equal(ORDERS);
    await Promise.all(orders.map((order) => shop.gateway.pay(order.orderNo)));
    for (const order of orders) await shop.until(order, 'shop', '30/30/30');
    expect((await shop.points('shop')).wallet).to.deep.equal({ available: 0, reserved: 0, committed: 4 * ORDERS });
  });

  it('60 buyers for 10 units, each creating and paying: 10 succeed', async () => {
    await shop.putGoods('lamp', 'shop', { stock: 10 });
    const codes = await times(60, async (index) => {
      const userId = `buyer-${index}`;
      const body = { tenantId: 'shop', items: [{ goodsId: 'lamp' }] };
      const created = await shop.post('/user/order/create', body, { userId });
      // Buyers who come after the last unit was held are already rejected at create.
      return created.code === 1000 ? (await shop.payUntilKnown(created.data, 'shop', userId)).code : created.code;
    });
    expect(tally(codes)).to.deep.equal({ 1000: 10, 90039: 50 });
    const lamp = await firstRow(shop.database, `select stock, held from goods where goods_id = 'lamp'`, {});
    expect(lamp).to.deep.equal({ stock: 10, held: 10 });
  });

  it('60 orders for 10 units, all created in advance: 10 are paid, 50 get 90039 and hold nothing', async () => {
    await shop.putGoods('chair', 'shop', { stock: 10 });
    const orders = await times(60, (index) => shop.create('shop', { items: [{ goodsId: 'chair' }] }, `buyer-${index}`));
    const responses = await times(60, (index) =>
      shop.payUntilKnown(orders[index] ?? { orderId: '' }, 'shop', `buyer-${index}`),
    );
    expect(tally(responses.map(({ code }) => code))).to.deep.equal({ 1000: 10, 90039: 50 });
    const chair = await firstRow(shop.database, `select stock, held from goods where goods_id = 'chair'`, {});
    expect(chair).to.deep.equal({ stock: 10, held: 10 });
  });

  it('one coupon in 100 orders paid at once: used once', async () => {
    await shop.putCoupon('single', 'shop');
    const orders = await times(100, () => shop.create('shop', { pointsPlan: { couponIds: ['single'] } }));
    const responses = await Promise.all(orders.map((order) => shop.payUntilKnown(order, 'shop')));
    expect(tally(responses.map(({ code }) => code))).to.deep.equal({ 1000: 1, 90201: 99 });
  });

  it('pays and cancels of one order at once: one outcome', async () => {
    await shop.grant('shop', 'tenant', 20);
    await times(10, async () => {
      const order = await shop.create('shop', { grossMoneyAmount: 5, moneyAmount: 5, pointsPlan: { tenantPoints: 2 } });
      await times(6, (index) => (index % 2 === 0 ? shop.pay(order, 'shop') : shop.cancel(order, 'shop')));
      await untilKnown(() => shop.cancel(order, 'shop'));
      const { orderStatus } = await shop.item(order, 'shop');
      expect(orderStatus).to.equal(60);
    });
    expect((await shop.points('shop')).tenant).to.deep.equal({ available: 20, reserved: 0, committed: 0 });
  });
});
