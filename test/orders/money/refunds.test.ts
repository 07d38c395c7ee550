import { expect } from 'chai';
import { createWaitingRefundClient } from '#clients/orders/waiting-refunds.ts';
import { useOrders } from '#test/support/fixtures/orders.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { internalSecret } from '../support/orders-service.ts';
import { ok, staff, triple } from '../support/shop.ts';

const cash = { grossMoneyAmount: 100, moneyAmount: 100 };
const withPoints = { ...cash, moneyAmount: 99, pointsPlan: { walletPoints: 4 } };

interface Refund {
  refundId: string;
  status: string;
  amount: number;
  needsStaff: boolean;
  lastError: string | null;
}

describe('refunds of completed orders', function () {
  this.timeout(180_000);
  const shop = useOrders({ points: { wallet: 10_000, tenant: 10_000 }, tenants: { shop: {}, other: {} } });

  beforeEach(() => {
    shop.gateway.state.fault = () => undefined;
  });

  async function done(body: object = cash) {
    const order = await shop.create('shop', body);
    ok(await shop.payUntilKnown(order, 'shop'));
    await shop.gateway.pay(order.orderNo);
    await shop.until(order, 'shop', '30/30/30');
    return { order, charge: shop.gateway.chargeOf(order.orderNo) };
  }
  const refund = (order: { orderId: string }, body: object, tenantId = 'shop') =>
    shop.post(`/admin/orders/${order.orderId}/refund`, { reason: 'broken', ...body }, staff(tenantId));
  const refundsOf = async (order: { orderId: string }) =>
    ((await shop.staffOrder(order, 'shop')) as unknown as { refunds: Refund[] }).refunds;
  const askedFor = (chargeId: string) => shop.gateway.of('refund').filter((call) => call.chargeId === chargeId);

  it('B7: amount missing: all → 30/30/50, then 30/30/60; points stay committed', async () => {
    const { order, charge } = await done(withPoints);
    const before = await shop.points('shop');
    const response = await refund(order, { key: 'all' });
    expect(response).to.include({ status: 202, code: 1000 });
    expect(triple(response.data)).to.be.oneOf(['30/30/50', '30/30/60']);
    await shop.until(order, 'shop', '30/30/60');
    expect(charge).to.include({ status: 'refunded', refundedAmount: 99 });
    const [one] = await refundsOf(order);
    expect(askedFor(charge.chargeId).map(({ idempotencyKey, body }) => [idempotencyKey, body['amount']])).to.deep.equal(
      [[`refund:${one?.refundId}`, 99]],
    );
    expect(await shop.points('shop')).to.deep.equal(before);
  });

  it('B7: in parts → 30/30/70, the rest → 30/30/60; more than is left: 90001', async () => {
    const { order, charge } = await done();
    ok(await refund(order, { amount: 30.25, key: 'a' }));
    await shop.until(order, 'shop', '30/30/70');
    expect(charge).to.include({ status: 'paid', refundedAmount: 30.25 });
    const more = await refund(order, { amount: 69.76, key: 'b' });
    expect(more).to.include({ status: 400, code: 90001 });
    expect(more.errors?.[0]?.path).to.equal('/amount');
    ok(await refund(order, { key: 'c' }));
    await shop.until(order, 'shop', '30/30/60');
    expect(charge.refundedAmount).to.equal(100);
    expect(await refund(order, { amount: 0.01, key: 'd' })).to.include({ code: 90001 });
  });

  it('B7: a key refunds once; with another body 90205', async () => {
    const { order, charge } = await done();
    const both = await Promise.all([refund(order, { amount: 10, key: 'k' }), refund(order, { amount: 10, key: 'k' })]);
    expect(both.map(({ code }) => code)).to.deep.equal([1000, 1000]);
    await shop.until(order, 'shop', '30/30/70');
    ok(await refund(order, { amount: 10, key: 'k' }));
    expect(await refund(order, { amount: 11, key: 'k' })).to.include({ status: 409, code: 90205 });
    expect(await refund(order, { key: 'k' })).to.include({ code: 90205 });
    expect(charge.refundedAmount).to.equal(10);
    expect(await refundsOf(order)).to.have.length(1);
  });

  it('B7: several at once stay within what was received', async () => {
    const { order, charge } = await done();
    const asked = await Promise.all([1, 2, 3, 4].map((n) => refund(order, { amount: 30, key: `k-${n}` })));
    expect(asked.map(({ code }) => code).toSorted()).to.deep.equal([1000, 1000, 1000, 90001]);
    await shop.until(order, 'shop', '30/30/70');
    expect(charge.refundedAmount).to.equal(90);
  });

  it('B7: restorePoints and restock with all refunded → 30/50/60: points, coupons and stock are back', async () => {
    await shop.putGoods('box', 'shop', {
      stock: 5,
      paymentOptions: [{ paymentOptionId: 'o', name: 'DEFAULT', pointAmount: 3, cashAmount: 40 }],
    });
    await shop.putCoupon('back', 'shop');
    const before = await shop.points('shop');
    const { order } = await done({
      items: [{ goodsId: 'box', qty: 2 }],
      pointsPlan: { tenantPoints: 6, walletPoints: 8, couponIds: ['back'] },
    });
    for (const part of ['restorePoints', 'restock']) {
      const partly = await refund(order, { amount: 1, [part]: true, key: part });
      expect(partly).to.include({ code: 90001 });
      expect(partly.errors?.[0]?.path).to.equal(`/${part}`);
    }
    ok(await refund(order, { restorePoints: true, restock: true, key: 'all' }));
    await shop.until(order, 'shop', '30/50/60');
    expect(await shop.points('shop')).to.deep.equal(before);
    const goods = ok(await shop.request('GET', '/admin/goods/box', undefined, staff('shop'))).data;
    expect(goods).to.include({ stock: 5, held: 0 });
    const coupon = await shop.database('coupon').where({ coupon_id: 'back' }).first();
    expect(coupon).to.include({ status: 'available', orderId: null });
  });

  it('B7: points-only orders: {restorePoints: true} → 30/50/0, once', async () => {
    const before = await shop.points('shop');
    const order = await shop.create('shop', { pointsPlan: { tenantPoints: 9 } });
    ok(await shop.payUntilKnown(order, 'shop'));
    expect(await refund(order, { key: 'none' })).to.include({ code: 90001 });
    expect(triple(ok(await refund(order, { restorePoints: true, key: 'p' })).data)).to.equal('30/50/0');
    expect(await shop.points('shop')).to.deep.equal(before);
    ok(await refund(order, { restorePoints: true, key: 'p' }));
    expect(await refund(order, { restorePoints: true, key: 'p2' })).to.include({ code: 90001 });
    expect(await shop.points('shop')).to.deep.equal(before);
  });

  it('B7: an order that is not DONE: 90202; another tenant’s: 90200', async () => {
    const order = await shop.create('shop', cash);
    expect(await refund(order, { key: 'k' })).to.include({ status: 409, code: 90202 });
    expect(await refund(order, { key: 'k' }, 'other')).to.include({ status: 404, code: 90200 });
  });

  it('B7: 409 not_paid is asked again with a new key, because a gateway may remember the first', async () => {
    const { order, charge } = await done();
    let rejections = 0;
    shop.gateway.state.fault = (call) => {
      if (call.operation !== 'refund' || call.chargeId !== charge.chargeId || rejections >= 2) return undefined;
      rejections += 1;
      return { response: [409, { code: 'not_paid', status: 'pending' }] };
    };
    ok(await refund(order, { key: 'k' }));
    await shop.until(order, 'shop', '30/30/60');
    const [one] = await refundsOf(order);
    expect(askedFor(charge.chargeId).map(({ idempotencyKey }) => idempotencyKey)).to.deep.equal(
      ['', ':2', ':3'].map((end) => `refund:${one?.refundId}${end}`),
    );
  });

  const needingStaff = async () => {
    const { order, charge } = await done();
    shop.gateway.state.fault = (call) =>
      call.operation === 'refund' && call.chargeId === charge.chargeId
        ? { response: [409, { code: 'not_paid', status: 'pending' }] }
        : undefined;
    ok(await refund(order, { key: 'k' }));
    await eventually('it was asked for', () => askedFor(charge.chargeId).length > 0);
    await shop.database.raw(`update refund set asked_since = now() - interval '25 hours' where order_id = ?`, [
      order.orderId,
    ]);
    const stuck = await eventually('it needs staff', async () =>
      (await refundsOf(order)).find(({ needsStaff }) => needsStaff),
    );
    shop.gateway.state.fault = () => undefined;
    return { order, charge, stuck };
  };
  const decide = (refundId: string, outcome: string, tenantId = 'shop') =>
    shop.post(`/admin/refunds/${refundId}/resolve`, { outcome, note: 'called them' }, staff(tenantId));

  it('B7: after 24 h it needs staff; retry asks again with a new key', async () => {
    const { order, charge, stuck } = await needingStaff();
    const shown = (await shop.staffOrder(order, 'shop')) as unknown as { needsStaff: boolean };
    expect(shown.needsStaff).to.equal(true);
    const listed = ok(await shop.request('GET', '/admin/orders?needsStaff=true', undefined, staff('shop')))
      .data as unknown as { items: { orderId: string }[] };
    expect(listed.items.map(({ orderId }) => orderId)).to.include(order.orderId);
    expect(await decide(stuck.refundId, 'retry', 'other')).to.include({ code: 90200 });
    const used = new Set(askedFor(charge.chargeId).map(({ idempotencyKey }) => idempotencyKey));
    ok(await decide(stuck.refundId, 'retry'));
    await shop.until(order, 'shop', '30/30/60');
    expect(used.has(askedFor(charge.chargeId).at(-1)?.idempotencyKey)).to.equal(false);
    expect(await decide(stuck.refundId, 'retry')).to.include({ code: 90202 });
  });

  it('a refund is told to the backend for as long as it needs staff, since it does, and of members to headquarters', async () => {
    const begun = Date.now();
    const { order, stuck } = await needingStaff();
    const origin = new URL(shop.base).origin;
    const client = createWaitingRefundClient({ baseUrl: origin, secret: internalSecret });
    const { refundId } = stuck;
    try {
      const [told] = await client.read('shop');
      expect(told).to.include({ refundId, orderId: order.orderId, orderNo: order.orderNo });
      expect(Date.parse(told?.since ?? '')).to.be.within(begun, Date.now());
      expect(await client.read('other')).to.deep.equal([]);
      await shop.database('tenant').where({ tenant_id: 'shop' }).update({ headquarters_tenant_id: 'other' });
      expect((await client.read('other')).map((refund) => refund.refundId)).to.deep.equal([refundId]);
      await shop.database('tenant').where({ tenant_id: 'shop' }).update({ headquarters_tenant_id: null });
      ok(await decide(refundId, 'done_elsewhere'));
      expect(await client.read('shop')).to.deep.equal([]);
      const response = await fetch(`${origin}/internal/v1/waiting-refunds?platformTenantId=shop`);
      expect(response.status).to.equal(401);
    } finally {
      await client.destroy();
    }
  });

  it('B7: retry asks at once, although the run that gave up is still ending', async () => {
    const { order, stuck } = await needingStaff();
    await shop.stopWorkers();
    // Without a worker this run cannot end.
    await shop.launcher.startRefund({ refundId: stuck.refundId, orderId: order.orderId, tenantId: 'shop' });
    const run = async () => (await shop.client.workflow.getHandle(`refund:${stuck.refundId}`).describe()).runId;
    const earlier = await run();
    ok(await decide(stuck.refundId, 'retry'));
    expect(await run()).not.to.equal(earlier);
    await shop.startWorker();
    await shop.until(order, 'shop', '30/30/60');
  });

  it('B7: done_elsewhere confirms it without the gateway', async () => {
    const { order, charge, stuck } = await needingStaff();
    const asked = askedFor(charge.chargeId).length;
    ok(await decide(stuck.refundId, 'done_elsewhere'));
    await shop.until(order, 'shop', '30/30/60');
    expect(askedFor(charge.chargeId)).to.have.length(asked);
    const [audit] = await shop.database('audit_entry').where({ action: 'refund.resolve', subject_id: stuck.refundId });
    expect(audit).to.include({ actor: 's-1' });
  });

  it('a refund that the gateway rejects for good needs staff at once', async () => {
    const { order } = await done();
    shop.gateway.state.fault = ({ operation }) =>
      operation === 'refund' ? { response: [422, { code: 'shop_closed' }] } : undefined;
    ok(await refund(order, { key: 'k' }));
    const [one] = await eventually('it needs staff', async () => {
      const found = await refundsOf(order);
      return found.some(({ needsStaff }) => needsStaff) && found;
    });
    expect(one).to.include({ lastError: 'shop_closed', status: 'needs_staff' });
    expect(triple(await shop.item(order, 'shop'))).to.equal('30/30/50');
  });

  it('the response to a refund was lost: asked again with the same key, refunded once', async () => {
    const { order, charge } = await done();
    shop.gateway.state.fault = ({ operation }) => {
      if (operation !== 'refund') return undefined;
      shop.gateway.state.fault = () => undefined;
      return 'lost';
    };
    ok(await refund(order, { amount: 40, key: 'k' }));
    await shop.until(order, 'shop', '30/30/70');
    const keys = new Set(askedFor(charge.chargeId).map(({ idempotencyKey }) => idempotencyKey));
    expect(keys.size).to.equal(1);
    expect(charge.refundedAmount).to.equal(40);
  });
});
