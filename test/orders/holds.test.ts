import { WorkflowNotFoundError } from '@temporalio/client';
import { expect } from 'chai';
import { connect } from '#db/connection.ts';
import { firstRow } from '#db/database.ts';
import { isBusy } from '#db/errors.ts';
import { openPayment } from '#db/orders/opening/open.ts';
import { statementsOf } from './support/statements.ts';
import { ok, triple } from './support/shop.ts';
import { useOrders } from '../support/fixtures/orders.ts';
import { payOrderWorkflowId } from '#workflows/contracts/orders/pay-order.ts';

describe('Holding stock, points and coupons', () => {
  const shop = useOrders({ points: { wallet: 1000, tenant: 1000 } });
  const goods = (goodsId: string) =>
    firstRow<{ stock: number | null; held: number }>(
      shop.database,
      'select stock, held from goods where goods_id = :goodsId',
      { goodsId },
    );

  async function sell(order: { orderId: string; orderNo: string }, userId = 'u-1'): Promise<void> {
    ok(await shop.payUntilKnown(order, 'shop', userId));
    await shop.gateway.pay(order.orderNo);
    await shop.until(order, 'shop', '30/30/30', userId);
  }

  it('B1: unlimited stock stays unlimited through sales, also for an order that was created before the first', async () => {
    await shop.putGoods('air', 'shop', { stock: null });
    const early = await shop.create('shop', { items: [{ goodsId: 'air' }] });
    await sell(await shop.create('shop', { items: [{ goodsId: 'air', qty: 3 }] }));
    expect(await goods('air')).to.deep.equal({ stock: null, held: 0 });
    await sell(await shop.create('shop', { items: [{ goodsId: 'air' }] }));
    await sell(early);
    expect(await goods('air')).to.deep.equal({ stock: null, held: 0 });
  });

  it('B1: unlimited stock stays unlimited when a sale without cash is committed at once', async () => {
    await shop.putGoods('breeze', 'shop', {
      stock: null,
      paymentOptions: [{ paymentOptionId: 'o', name: 'DEFAULT', pointAmount: 5, cashAmount: 0 }],
    });
    const order = await shop.create('shop', { items: [{ goodsId: 'breeze' }], pointsPlan: { tenantPoints: 5 } });
    expect(triple(ok(await shop.payUntilKnown(order, 'shop')).data)).to.equal('30/30/0');
    expect(await goods('breeze')).to.deep.equal({ stock: null, held: 0 });
  });

  it('B1: stock never goes below what is held, whoever writes it', async () => {
    await shop.putGoods('vase', 'shop', { stock: 3 });
    const order = await shop.create('shop', { items: [{ goodsId: 'vase', qty: 2 }] });
    ok(await shop.payUntilKnown(order, 'shop'));
    expect(await goods('vase')).to.deep.equal({ stock: 3, held: 2 });
    const below = await shop
      .database('goods')
      .where({ goods_id: 'vase' })
      .update({ stock: 1 })
      .catch((error: { code: string }) => error.code);
    expect(below).to.equal('23514');
    await shop.gateway.pay(order.orderNo);
    await shop.until(order, 'shop', '30/30/30');
    expect(await goods('vase')).to.deep.equal({ stock: 1, held: 0 });
  });

  const limits = { maxOpenHolds: 100 };
  const opening = (order: { orderId: string }) => ({
    orderId: order.orderId,
    attempt: 1,
    sends: 0 as const,
    expiresAt: new Date(Date.now() + 600_000),
    resultUrl: null,
    cancelUrl: null,
  });

  /** Goods for points and cash, two coupons and all kinds of points: the order that takes the most. */
  async function fullOrder(name: string): Promise<{ orderId: string }> {
    const option = { paymentOptionId: 'o', name: 'DEFAULT', pointAmount: 5, cashAmount: 10 };
    for (const goodsId of [`${name}-1`, `${name}-2`])
      await shop.putGoods(goodsId, 'shop', { stock: 1, paymentOptions: [option] });
    for (const couponId of [`${name}-a`, `${name}-b`]) await shop.putCoupon(couponId, 'shop');
    return shop.create('shop', {
      items: [{ goodsId: `${name}-2` }, { goodsId: `${name}-1` }],
      pointsPlan: { tenantPoints: 10, walletPoints: 4, couponIds: [`${name}-b`, `${name}-a`] },
    });
  }

  it('opening a payment with cash is one statement, after one that counts its payer’s payments one after the other', async () => {
    const order = await fullOrder('few');
    const statements = await statementsOf(shop.database, () => openPayment(shop.database, opening(order), limits));
    // With its begin and commit.
    expect(statements, statements.join('\n')).to.have.length.of.at.most(4);
    expect(await goods('few-1')).to.deep.equal({ stock: 1, held: 1 });
    ok(await shop.cancel(order, 'shop'));
  });

  it('B1: a points-only pay is one statement after one that finds it, however often it is repeated, and starts no workflow', async () => {
    const order = await shop.create('shop', { pointsPlan: { tenantPoints: 1 } });
    const { committed } = (await shop.points('shop')).tenant;
    const statements = await statementsOf(shop.database, async () => ok(await shop.pay(order, 'shop')));
    expect(statements, statements.join('\n')).to.have.length.of.at.most(2);
    const again = await Promise.all(Array.from({ length: 20 }, () => shop.pay(order, 'shop')));
    for (const { code, data } of again) expect([code, triple(data)]).to.deep.equal([1000, '30/30/0']);
    expect((await shop.points('shop')).tenant.committed).to.equal(committed + 1);
    const description: unknown = await shop.client.workflow
      .getHandle(payOrderWorkflowId(order.orderId))
      .describe()
      .catch((error: unknown) => error);
    expect(description).to.be.an.instanceOf(WorkflowNotFoundError);
  });

  it('B1: 50 pays at once of one points-only order commit it once', async () => {
    const order = await shop.create('shop', { pointsPlan: { tenantPoints: 2 } });
    const { committed } = (await shop.points('shop')).tenant;
    const replies = await Promise.all(Array.from({ length: 50 }, () => shop.payUntilKnown(order, 'shop')));
    for (const { code, data } of replies) expect([code, triple(data)]).to.deep.equal([1000, '30/30/0']);
    expect((await shop.points('shop')).tenant.committed).to.equal(committed + 2);
  });

  it('what is missing is refused in order: coupon, stock, points; nothing of the rest is held', async () => {
    const order = await fullOrder('none');
    await shop.database('coupon').where({ coupon_id: 'none-a' }).update({ status: 'used', order_id: 'another' });
    await shop.database('goods').where({ goods_id: 'none-2' }).update({ stock: 0 });
    const { available } = (await shop.points('shop')).wallet;
    const account = () => shop.database('point_account').where({ user_id: 'u-1', kind: 'wallet' });
    await account().update({ available: 3, granted: shop.database.raw('granted - available + 3') });
    expect((await shop.payUntilKnown(order, 'shop')).code).to.equal(90201);
    await shop.database('coupon').where({ coupon_id: 'none-a' }).update({ status: 'available', order_id: null });
    expect((await shop.payUntilKnown(order, 'shop')).code).to.equal(90039);
    await shop.database('goods').where({ goods_id: 'none-2' }).update({ stock: 1 });
    expect((await shop.payUntilKnown(order, 'shop')).code).to.equal(90300);
    expect(triple(await shop.item(order, 'shop'))).to.equal('0/0/0');
    expect(await goods('none-1')).to.deep.equal({ stock: 1, held: 0 });
    await account().update({ available, granted: shop.database.raw('granted - 3 + ?', [available]) });
    expect(triple(ok(await shop.payUntilKnown(order, 'shop')).data)).to.equal('20/10/10');
    ok(await shop.cancel(order, 'shop'));
  });

  it('50 payments at once of the same goods, accounts and coupons in other sequences: no deadlock', async () => {
    for (const goodsId of ['left', 'right']) await shop.putGoods(goodsId, 'shop', { stock: 30 });
    await shop.putCoupon('north', 'shop');
    await shop.putCoupon('south', 'shop');
    const orders = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const items = [{ goodsId: 'left' }, { goodsId: 'right' }];
        const couponIds = ['north', 'south'];
        const pointsPlan = { walletPoints: 4, ...(index % 10 === 0 ? { couponIds } : {}) };
        const turned = index % 2 === 0;
        if (turned) couponIds.reverse();
        return shop.create('shop', { items: turned ? items.toReversed() : items, pointsPlan });
      }),
    );
    const opened = await Promise.all(orders.map((order) => openPayment(shop.database, opening(order), limits)));
    const codes = opened.map(({ error }) => error?.code ?? 1000);
    const count = (code: number) => codes.filter((other) => other === code).length;
    expect([count(1000), count(90201) + count(90039)]).to.deep.equal([30, 20]);
    expect(
      codes.filter((code, index) => index % 10 === 0 && code === 1000),
      'with the coupons',
    ).to.have.length.below(2);
    expect(await goods('left')).to.deep.equal({ stock: 30, held: 30 });
    expect(await goods('right')).to.deep.equal({ stock: 30, held: 30 });
    const held = orders.filter((_, index) => opened[index]?.error === null);
    await Promise.all(held.map((order) => shop.cancel(order, 'shop')));
    for (const order of held) await shop.until(order, 'shop', '60/40/40');
    expect(await goods('left')).to.deep.equal({ stock: 30, held: 0 });
    await shop.expectBalanced();
  });

  describe('one payer at one tenant', () => {
    const openHoldsOf = (userId: string) =>
      firstRow<{ count: number }>(
        shop.database,
        `select count(*) as count from payment_attempt a join customer_order o using (order_id)
         where a.hold_status = 'reserved' and o.user_id = :userId`,
        { userId },
      );
    const create = (userId: string, more: object = {}) =>
      shop.create('shop', { items: [{ goodsId: 'plate' }], ...more }, userId);

    before(() => shop.putGoods('plate', 'shop', { stock: 100 }));

    it('holds at most 20 unpaid orders, however many are paid at once; the others get 90039 with errors', async () => {
      const orders = await Promise.all(Array.from({ length: 30 }, () => create('hoarder')));
      const responses = await Promise.all(orders.map((order) => shop.payUntilKnown(order, 'shop', 'hoarder')));
      const refused = responses.filter(({ code }) => code === 90039);
      expect(responses.filter(({ code }) => code === 1000)).to.have.length(20);
      expect(refused).to.have.length(10);
      for (const { status, data, errors } of refused) {
        expect({ status, data }).to.deep.equal({ status: 409, data: null });
        expect(errors?.map(({ path }) => path)).to.deep.equal(['']);
      }
      expect(await openHoldsOf('hoarder')).to.deep.equal({ count: 20 });
      expect((await goods('plate'))?.held).to.equal(20);
      // One that ends makes room for one.
      const held = orders[responses.findIndex(({ code }) => code === 1000)];
      const over = orders.filter((_, index) => responses[index]?.code === 90039);
      if (!held) throw new Error('none was held');
      ok(await shop.cancel(held, 'shop', 'hoarder'));
      const again = await Promise.all(over.map((order) => shop.payUntilKnown(order, 'shop', 'hoarder')));
      expect(again.filter(({ code }) => code === 1000)).to.have.length(1);
    });

    it('cash holds nothing, points alone are committed at once, and others have a limit of their own', async () => {
      const full = { holds: await openHoldsOf('hoarder') };
      expect(full).to.deep.equal({ holds: { count: 20 } });
      const cash = await shop.create('shop', { grossMoneyAmount: 1, moneyAmount: 1 }, 'hoarder');
      ok(await shop.payUntilKnown(cash, 'shop', 'hoarder'));
      await shop.grant('shop', 'tenant', 1, 'hoarder');
      const points = await shop.create('shop', { pointsPlan: { tenantPoints: 1 } }, 'hoarder');
      expect(triple(ok(await shop.payUntilKnown(points, 'shop', 'hoarder')).data)).to.equal('30/30/0');
      ok(await shop.payUntilKnown(await create('guest'), 'shop', 'guest'));
    });
  });

  it('a row that another transaction keeps locked is waited for briefly; the pay is repeated until it is free', async () => {
    await shop.putGoods('stuck', 'shop', { stock: 5 });
    const order = await shop.create('shop', { items: [{ goodsId: 'stuck' }] });
    const holder = await shop.database.transaction();
    await holder.raw(`select 1 from goods where goods_id = 'stuck' for update`);
    const impatient = connect({
      url: shop.databaseUrl,
      schema: 'orders',
      applicationName: 'test-limits',
      limits: { lockMs: 50, statementMs: 5000, idleInTransactionMs: 5000 },
    });
    try {
      const failure = await openPayment(impatient, opening(order), limits).catch((error: unknown) => error);
      expect(isBusy(failure)).to.equal(true);
      expect(triple(await shop.item(order, 'shop'))).to.equal('0/0/0');
      const late = await impatient
        .raw('set statement_timeout = 20; select pg_sleep(10)')
        .catch((error: unknown) => error);
      expect(isBusy(late)).to.equal(true);
    } finally {
      await holder.rollback();
      await impatient.destroy();
    }
    ok(await shop.payUntilKnown(order, 'shop'));
  });
});
