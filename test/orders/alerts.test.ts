import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { noteEnd, noteStart } from '#db/recurring/runs.ts';
import { SWEEP } from '#domain/recurring/sweep.ts';
import { createPayments } from '#api/orders/payments/pay.ts';
import { connect } from '#db/connection.ts';
import { withLock } from '#db/provision.ts';
import { createLogger } from '#api/runtime/logger.ts';
import { createOrdersMetrics } from '#api/orders/metrics.ts';
import { Registry } from 'prom-client';
import { rehearse } from '../support/alerts/rehearsal.ts';
import { readMetrics } from '../support/http/metrics.ts';
import { useOrders } from '../support/fixtures/orders.ts';
import { eventually } from '../support/time/eventually.ts';
import type { FakeCharge, GatewayCall } from './support/fake-gateway.ts';
import { ok, staff } from './support/shop.ts';

const cash = { grossMoneyAmount: 10, moneyAmount: 10 };

/** Each test injects the fault that an alert of the runbook is for, and sees its metric cross the threshold and return. */
describe('alerts of the order service', () => {
  const shop = useOrders({ tenants: { shop: {}, closed: {} } });
  const alerts = rehearse('orders', () => shop.metricsAddress);
  const metric = async (name: string) => (await readMetrics(shop.metricsAddress)).get(name) ?? 0;
  const returnsTo = (name: string, value: number) =>
    eventually(`${name} returns to ${value}`, async () => (await metric(name)) === value);

  const failing = (operation: GatewayCall['operation'], status: number, body: object = {}) => {
    shop.gateway.state.fault = (call) => (call.operation === operation ? { response: [status, body] } : undefined);
  };
  const mended = () => {
    shop.gateway.state.fault = () => undefined;
  };
  afterEach(mended);

  async function pending() {
    const order = await shop.create('shop', cash);
    ok(await shop.payUntilKnown(order, 'shop'));
    return order;
  }
  async function done() {
    const order = await pending();
    await shop.gateway.pay(order.orderNo);
    await shop.until(order, 'shop', '30/30/30');
    return order;
  }
  /** Time passes for rows of one order or callback. */
  const age = (table: string, column: string, key: Record<string, string>, minutes: number) =>
    shop
      .database(table)
      .where(key)
      .update({ [column]: new Date(Date.now() - minutes * 60_000) });

  it('orders_charge_unread_seconds: nobody reads a pending charge, because the worker is stopped', async () => {
    const order = await pending();
    const key = { order_id: order.orderId };
    await alerts.scrape('ChargesUnread');
    expect(await metric('orders_charge_unread_seconds')).to.be.lessThan(600);
    await shop.stopWorkers();
    await age('payment_attempt', 'created_at', key, 11);
    await shop.database('payment_attempt').where(key).update({ read_at: null });
    expect(await metric('orders_charge_unread_seconds')).to.be.greaterThan(600);
    await alerts.scrape('ChargesUnread');
    await shop.gateway.pay(order.orderNo, { lost: true });
    await shop.startWorker();
    ok(await shop.payUntilKnown(order, 'shop'));
    await shop.until(order, 'shop', '30/30/30');
    await returnsTo('orders_charge_unread_seconds', 0);
    await alerts.scrape('ChargesUnread');
  });

  it('orders_late_read_overdue_seconds: charges of ended payments are not read, because the sweep is stopped', async () => {
    const order = await pending();
    ok(await shop.cancel(order, 'shop'));
    expect(await metric('orders_late_read_overdue_seconds')).to.equal(0);
    await alerts.scrape('LateReadsOverdue');
    await age('payment_attempt', 'next_read_at', { order_id: order.orderId }, 11);
    expect(await metric('orders_late_read_overdue_seconds')).to.be.greaterThan(600);
    await alerts.scrape('LateReadsOverdue');
    await shop.activities.driveOrders({ now: new Date().toISOString() });
    await returnsTo('orders_late_read_overdue_seconds', 0);
    await alerts.scrape('LateReadsOverdue');
  });

  it('orders_late_read_overdue_seconds: grows while every read fails, and returns with the first that succeeds', async () => {
    const order = await pending();
    const key = { order_id: order.orderId };
    ok(await shop.cancel(order, 'shop'));
    await age('payment_attempt', 'next_read_at', key, 11);
    failing('read', 503);
    for (let round = 0; round < 2; round += 1) {
      const swept = await shop.activities.driveOrders({ now: new Date().toISOString() }).catch(() => 'it failed');
      expect(swept).to.equal('it failed');
      const { nextReadAt } = await shop.database('payment_attempt').where(key).first();
      expect(nextReadAt.getTime()).to.be.greaterThan(Date.now());
      expect(await metric('orders_late_read_overdue_seconds')).to.be.greaterThan(600);
      await age('payment_attempt', 'next_read_at', key, 0);
    }
    mended();
    await shop.activities.driveOrders({ now: new Date().toISOString() });
    await returnsTo('orders_late_read_overdue_seconds', 0);
  });

  it('orders_holds_open: payments do not end, because the gateway cancels no charge', async () => {
    failing('cancel', 503);
    await alerts.scrape('PaymentsDoNotEnd');
    const orders = await Promise.all([pending(), pending(), pending()]);
    const cancels = orders.map((order) => shop.cancel(order, 'shop'));
    await eventually('every cancel has been tried', () => shop.gateway.of('cancel').length >= orders.length);
    expect(await metric('orders_holds_open')).to.equal(3);
    expect(await metric('orders_hold_overdue_seconds')).to.equal(0);
    for (const { orderId } of orders) await age('payment_attempt', 'expires_at', { order_id: orderId }, 6);
    expect(await metric('orders_hold_overdue_seconds')).to.be.greaterThan(300);
    await alerts.scrape('PaymentsDoNotEnd');
    mended();
    await Promise.all(cancels);
    await returnsTo('orders_holds_open', 0);
    await returnsTo('orders_hold_overdue_seconds', 0);
    await alerts.scrape('PaymentsDoNotEnd');
  });

  it('orders_standing: the gateway cancels no charge, staff read why, and it ends once the gateway does', async () => {
    const order = await pending();
    const why = async () =>
      ok(await shop.request('GET', `/admin/orders/${order.orderId}/standing`, undefined, staff('shop'))).data;
    const listed = async () => {
      const { data } = ok(await shop.request('GET', '/admin/orders', undefined, staff('shop')));
      const items = data['items'] as { orderId: string; standing: unknown }[];
      return items.find(({ orderId }) => orderId === order.orderId)?.standing;
    };
    const sweep = async () => {
      await noteStart(shop.database, SWEEP);
      await noteEnd(shop.database, SWEEP);
    };
    const standingMetric = 'orders_standing{phase="end",reason="gateway_away",waits_for="service"}';
    await sweep();
    await alerts.scrape('OrderStands');
    expect(await why()).to.deep.equal({ standing: null });
    expect(await listed()).to.equal(null);
    failing('cancel', 503);
    const cancel = shop.cancel(order, 'shop');
    const attempt = () => shop.database('payment_attempt').where({ order_id: order.orderId }).first();
    await eventually('it is noted', async () => (await attempt()).unansweredSince !== null);
    await age('customer_order', 'updated_at', { order_id: order.orderId }, 10);
    await sweep();
    expect(await metric(standingMetric)).to.equal(1);
    const standing = (await why())['standing'];
    expect(standing).to.include({ phase: 'end', reason: 'gateway_away', expectedSeconds: 60 });
    expect(await listed(), 'in the list').to.deep.equal(standing);
    await alerts.scrape('OrderStands');
    mended();
    await cancel;
    await returnsTo(standingMetric, 0);
    expect(await why()).to.deep.equal({ standing: null });
    expect(await listed()).to.equal(null);
    await alerts.scrape('OrderStands');
  });

  it('orders_pays_total: the gateway rejects charges, or cannot be reached', async () => {
    const failed = async () =>
      (await metric('orders_pays_total{code="90303"}')) + (await metric('orders_pays_total{code="90304"}'));
    const before = await failed();
    await alerts.scrape('PaysFail');
    failing('create', 422, { code: 'shop_closed' });
    expect((await shop.pay(await shop.create('shop', cash), 'shop')).code).to.equal(90303);
    failing('create', 401);
    expect((await shop.pay(await shop.create('shop', cash), 'shop')).code).to.equal(90304);
    expect(await failed()).to.equal(before + 2);
    await alerts.scrape('PaysFail');
    mended();
    await pending();
    await alerts.scrape('PaysFail');
  });

  it('orders_pays_total{code="90999"}: a pay fails for a reason that nobody foresaw', async () => {
    const registry = new Registry();
    const closed = connect({ url: shop.databaseUrl, schema: 'orders', applicationName: 'test-closed' });
    await closed.destroy();
    const payments = createPayments({
      database: closed,
      launcher: shop.launcher,
      logger: createLogger('orders', 'silent'),
    });
    const counted = createOrdersMetrics(registry, shop.database).counted(payments);
    const own = { tenantId: 'shop', userId: 'u-1', orderId: 'o-1' };
    const failure: unknown = await counted
      .pay(own, { ttlMs: 60_000, resultURL: null, cancelURL: null })
      .catch((error: unknown) => error);
    expect(failure).to.be.an('error').with.property('message', 'Unable to acquire a connection');
    const { values } = (await registry.getSingleMetric('orders_pays_total')?.get()) ?? { values: [] };
    expect(values).to.deep.equal([{ value: 1, labels: { code: 90999 } }]);
  });

  it('orders_pays_total{code="90999"}: a migration went wrong, and is mended', async () => {
    await alerts.scrape('PaysBroken');
    const order = await shop.create('shop', cash);
    const rename = (from: string, to: string) =>
      withLock(shop.ownerUrl, (client) => client.query(`alter table orders.${from} rename to ${to}`));
    await rename('payment_attempt', 'attempt_of_a_payment');
    expect((await shop.pay(order, 'shop')).code).to.equal(90999);
    await rename('attempt_of_a_payment', 'payment_attempt');
    await alerts.scrape('PaysBroken');
    ok(await shop.payUntilKnown(order, 'shop'));
    await alerts.scrape('PaysBroken');
    ok(await shop.cancel(order, 'shop'));
  });

  it('orders_refund_oldest_seconds: the gateway does not confirm a refund', async () => {
    const order = await done();
    await alerts.scrape('RefundsStuck');
    failing('refund', 503);
    const attempts = 'orders_refund_attempts_total{result="failed"}';
    const before = await metric(attempts);
    ok(await shop.post(`/admin/orders/${order.orderId}/refund`, { reason: 'late', key: 'r' }, staff('shop')));
    await eventually('an attempt failed', async () => (await metric(attempts)) > before);
    await age('refund', 'created_at', { order_id: order.orderId }, 61);
    expect(await metric('orders_refunds_pending')).to.equal(1);
    expect(await metric('orders_refund_oldest_seconds')).to.be.greaterThan(3600);
    await alerts.scrape('RefundsStuck');
    mended();
    await shop.until(order, 'shop', '30/30/60');
    await returnsTo('orders_refunds_pending', 0);
    await returnsTo('orders_refund_oldest_seconds', 0);
    await alerts.scrape('RefundsStuck');
  });

  it('orders_refunds_need_staff: the gateway rejects a refund for good', async () => {
    const order = await done();
    await alerts.scrape('RefundsNeedStaff');
    failing('refund', 422, { code: 'refund_window_closed' });
    ok(await shop.post(`/admin/orders/${order.orderId}/refund`, { reason: 'late', key: 'r' }, staff('shop')));
    await eventually('it needs staff', async () => (await metric('orders_refunds_need_staff')) === 1);
    await alerts.scrape('RefundsNeedStaff');
    mended();
    const [refund] = await rows<{ id: string }>(
      shop.database,
      'select refund_id as id from refund where order_id = :orderId',
      { orderId: order.orderId },
    );
    const retry = { outcome: 'retry', note: 'they opened it again' };
    ok(await shop.post(`/admin/refunds/${refund?.id}/resolve`, retry, staff('shop')));
    await shop.until(order, 'shop', '30/30/60');
    await returnsTo('orders_refunds_need_staff', 0);
    await alerts.scrape('RefundsNeedStaff');
  });

  it('orders_flagged: a payment differs from what was agreed', async () => {
    const order = await pending();
    await alerts.scrape('OrdersFlagged');
    const charge = shop.gateway.chargeOf(order.orderNo);
    Object.assign(charge, { status: 'paid', amount: 9 });
    await shop.gateway.callback(charge);
    await eventually('it waits for staff', async () => (await metric('orders_flagged')) === 1);
    await alerts.scrape('OrdersFlagged');
    ok(await shop.resolve(order, 'shop', 'complete'));
    await returnsTo('orders_flagged', 0);
    await alerts.scrape('OrdersFlagged');
  });

  /** A signed callback about a charge that nobody here made. */
  const report = (shopId: string) => {
    const charge: FakeCharge = {
      chargeId: `ch-of-${shopId}`,
      status: 'paid',
      amount: 5,
      currency: 'TWD',
      shopId,
      orderNo: 'unknown',
      callbackURL: `${shop.base}/payment-gateway/callback`,
      expiresAt: '2099-01-01T00:00:00Z',
      createdAt: new Date().toISOString(),
      refundedAmount: 0,
    };
    return shop.gateway.callback(charge, { eventId: `evt-of-${shopId}` });
  };

  it('orders_callbacks_unmatched and their age: money came for an order that is not known', async () => {
    await alerts.scrape('MoneyUnmatched');
    expect((await report('paygw-shop')).status).to.equal(200);
    expect(await metric('orders_callbacks_unmatched')).to.equal(1);
    await age('gateway_event', 'received_at', { event_id: 'evt-of-paygw-shop' }, 25 * 60);
    expect(await metric('orders_callback_unmatched_oldest_seconds')).to.be.greaterThan(86_400);
    await alerts.scrape('MoneyUnmatched');
    const decision = { outcome: 'ignore', note: 'a test of theirs' };
    ok(await shop.post('/admin/callbacks/evt-of-paygw-shop/resolve', decision, staff('shop')));
    expect(await metric('orders_callbacks_unmatched')).to.equal(0);
    expect(await metric('orders_callback_unmatched_oldest_seconds')).to.equal(0);
    await alerts.scrape('MoneyUnmatched');
  });

  it('orders_callbacks_foreign_shop: a callback names a shop of no tenant', async () => {
    await alerts.scrape('ForeignShop');
    expect((await report('nobody')).status).to.equal(200);
    expect(await metric('orders_callbacks_foreign_shop')).to.equal(1);
    expect(await metric('orders_callbacks_unmatched')).to.equal(0);
    await alerts.scrape('ForeignShop');
    await shop.putTenant('closed', { PAYGW_shopId: 'nobody' });
    expect(await metric('orders_callbacks_foreign_shop')).to.equal(0);
    expect(await metric('orders_callbacks_unmatched')).to.equal(1);
    await alerts.scrape('ForeignShop');
  });

  alerts.fireAndClear([
    'OrderStands',
    'ChargesUnread',
    'LateReadsOverdue',
    'PaymentsDoNotEnd',
    'PaysFail',
    'PaysBroken',
    'RefundsStuck',
    'RefundsNeedStaff',
    'OrdersFlagged',
    'MoneyUnmatched',
    'ForeignShop',
  ]);
});
