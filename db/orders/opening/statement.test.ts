import { expect } from 'chai';
import { orderStatus } from '#domain/orders/states.ts';
import {
  lineOf,
  openedPayment,
  openingOf,
  seedGoods,
  seedOrder,
  seedTenants,
} from '#test/orders/support/order-rows.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { openPayment } from './open.ts';

describe('opening a payment', () => {
  const database = useDatabase('orders');
  before(() => seedTenants(database));

  const open = (orderId: string, { attempt = 1, maxOpenHolds = 1000 } = {}) =>
    openPayment(database, openingOf(orderId, attempt), { maxOpenHolds });
  const attemptsOf = (orderId: string) => database('payment_attempt').where({ order_id: orderId }).pluck('hold_status');

  describe('with a coupon', () => {
    /** An order of `payer` at `shop` with a coupon that belongs to somebody, also since it was created. */
    async function orderWith(name: string, coupon: Record<string, unknown>) {
      await database('coupon').insert({ coupon_id: name, name, tenant_id: 'shop', user_id: 'payer', ...coupon });
      await seedOrder(database, name, { couponIds: [name] });
    }
    const couponOf = (name: string) => database('coupon').where({ coupon_id: name }).first('status', 'order_id');

    it('holds what is its payer’s, at its tenant', async () => {
      await orderWith('own', {});
      expect((await open('own')).error).to.equal(null);
      expect(await couponOf('own')).to.deep.equal({ status: 'reserved', orderId: 'own' });
      expect(await attemptsOf('own')).to.deep.equal(['reserved']);
    });

    for (const [whose, coupon, left] of [
      ['another payer’s', { user_id: 'somebody' }, { status: 'available', orderId: null }],
      ['another tenant’s', { tenant_id: 'other' }, { status: 'available', orderId: null }],
      [
        'held by another order',
        { status: 'reserved', order_id: 'another' },
        { status: 'reserved', orderId: 'another' },
      ],
    ] as const)
      it(`is refused, and holds nothing, if it is ${whose}`, async () => {
        await orderWith(whose, coupon);
        expect((await open(whose)).error).to.deep.equal({ code: 90201 });
        expect(await couponOf(whose)).to.deep.equal(left);
        expect(await attemptsOf(whose)).to.deep.equal([]);
      });
  });

  it('holds points that the payer has, and is refused without them', async () => {
    const account = { tenant_id: 'shop', user_id: 'payer', kind: 'tenant' };
    await database('point_account').insert({ ...account, granted: 10, available: 10 });
    await seedOrder(database, 'points', { tenantPoints: 10 });
    await seedOrder(database, 'more-points', { tenantPoints: 1 });
    expect((await open('points')).error).to.equal(null);
    expect((await open('more-points')).error).to.deep.equal({ code: 90300 });
    expect(await database('point_account').where(account).first('available', 'reserved')).to.deep.equal({
      available: 0,
      reserved: 10,
    });
  });

  it('holds goods that nobody else holds, and is refused without them', async () => {
    await seedGoods(database, 'mug', 3);
    await seedOrder(database, 'two', { lines: [lineOf('mug', 2)] });
    await seedOrder(database, 'two-more', { lines: [lineOf('mug', 2)] });
    expect((await open('two')).error).to.equal(null);
    expect((await open('two-more')).error).to.deep.equal({ code: 90039 });
    expect(await database('goods').where({ goods_id: 'mug' }).first('stock', 'held')).to.deep.equal({
      stock: 3,
      held: 2,
    });
  });

  it('holds up to as many orders of a payer as the service allows', async () => {
    await seedGoods(database, 'cup', 10);
    for (const name of ['first', 'second', 'third'])
      await seedOrder(database, name, { userId: 'hoarder', lines: [lineOf('cup', 1)] });
    expect((await open('first', { maxOpenHolds: 2 })).error).to.equal(null);
    expect((await open('second', { maxOpenHolds: 2 })).error).to.equal(null);
    expect((await open('third', { maxOpenHolds: 2 })).error).to.deep.equal({ code: 90039, reason: 'open_holds' });
    expect(await database('goods').where({ goods_id: 'cup' }).first('held')).to.deep.equal({ held: 2 });
  });

  it('is done once, and never for an order that has ended or is at another attempt', async () => {
    await seedOrder(database, 'cancelled', { orderStatus: orderStatus.CANCELLED });
    expect((await open('cancelled')).state).to.include({ orderStatus: orderStatus.CANCELLED });
    await seedOrder(database, 'later', { attempt: 2 });
    expect((await open('later')).state).to.include({ orderStatus: orderStatus.CREATED, attempt: 2 });
    expect([...(await attemptsOf('cancelled')), ...(await attemptsOf('later'))]).to.deep.equal([]);
    await seedOrder(database, 'once');
    await openedPayment(database, 'once');
    expect((await open('once')).terms).to.equal(null);
    expect(await attemptsOf('once')).to.deep.equal(['reserved']);
  });
});
