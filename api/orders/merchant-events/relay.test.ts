import { expect } from 'chai';
import { useReceiver } from '#test/orders/support/merchant-receiver.ts';
import { ok, staff } from '#test/orders/support/shop.ts';
import { useOrders } from '#test/support/fixtures/orders.ts';
import { readMetrics } from '#test/support/http/metrics.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { lockOrder, setStatuses } from '#db/orders/payments.ts';
import { transitions } from '#domain/orders/states.ts';
import { claimDeliveries, endDelivery } from '#db/orders/merchant-events/relay.ts';
import { takeOverDatabase } from '#db/orders/take-over.ts';
import { noteFirstPlace } from '#db/place.ts';
import { GIVE_UP_AFTER_MS } from '#domain/webhooks/retries.ts';

const cash = { grossMoneyAmount: 100, moneyAmount: 100 };
const limits = { room: 100, perWebhook: 100, leaseMs: 60_000 };

describe('The relay of merchants’ events', function () {
  this.timeout(120_000);
  const shop = useOrders({ tenants: { shop: {}, other: {} } });
  const merchant = useReceiver();

  before(async () => {
    for (const tenantId of ['shop', 'other'])
      ok(
        await shop.request(
          'PUT',
          `/admin/tenants/${tenantId}/webhook`,
          { url: `${merchant.url}/${tenantId}` },
          staff(tenantId),
        ),
      );
  });
  beforeEach(() => {
    merchant.state.respond = merchant.accept;
  });
  afterEach(async () => {
    merchant.state.respond = merchant.accept;
    await shop.stopRelays();
    await shop.database('delivery').whereNot({ status: 'delivered' }).update({
      status: 'delivered',
      next_attempt_at: null,
      leased_until: null,
      settled_at: new Date(),
    });
  });

  /** An order with two events. */
  async function cancelled(tenantId = 'shop') {
    const order = await shop.create(tenantId, cash);
    ok(await shop.cancel(order, tenantId));
    return order;
  }

  /** `type status attempts` of the deliveries of an order, in their order. */
  const shown = async ({ orderId }: { orderId: string }): Promise<string[]> => {
    const found = await shop
      .database('delivery as d')
      .join('merchant_event as e', 'e.event_id', 'd.event_id')
      .where({ 'e.order_id': orderId })
      .orderBy('e.sequence')
      .select('e.type', 'd.status', 'd.attempts');
    return found.map(({ type, status, attempts }) => `${type} ${status} ${attempts}`);
  };
  const settled = (order: { orderId: string }) =>
    eventually('all is settled', async () => (await shown(order)).every((line) => !line.includes('pending')));

  it('B14: the next event of an order is sent only after the one before was delivered', async () => {
    let refusals = 3;
    merchant.state.respond = (_, response) => void response.writeHead((refusals -= 1) >= 0 ? 500 : 200).end();
    const order = await cancelled();
    shop.startRelay();
    await settled(order);
    expect(merchant.of(order).map(({ event }) => event.type)).to.deep.equal([
      'order.created',
      'order.created',
      'order.created',
      'order.created',
      'order.cancelled',
    ]);
    expect(await shown(order)).to.deep.equal(['order.created delivered 4', 'order.cancelled delivered 1']);
  });

  it('B14: an event that is not accepted for 3 days is given up, and the later ones of its order go on', async () => {
    merchant.state.respond = ({ event }, response) =>
      void response.writeHead(event.type === 'order.created' ? 410 : 200).end();
    const order = await cancelled();
    shop.startRelay();
    await eventually('it was tried', () => merchant.of(order).length > 0);
    await shop
      .database('delivery')
      .where({ status: 'pending' })
      .whereNotNull('trying_since')
      .update({ trying_since: new Date(Date.now() - GIVE_UP_AFTER_MS) });
    await settled(order);
    const [created, last] = await shown(order);
    expect(created).to.match(/^order\.created failed \d+$/);
    expect(last).to.equal('order.cancelled delivered 1');
  });

  it('B14: an event of a redelivery does not hold back the events after it', async () => {
    shop.startRelay();
    const order = await shop.create('shop', cash);
    await settled(order);
    merchant.state.respond = ({ event }, response) =>
      void response.writeHead(event.type === 'order.created' ? 500 : 200).end();
    const [row] = await shop.database('merchant_event as e').join('delivery as d', 'd.event_id', 'e.event_id').where({
      'e.order_id': order.orderId,
    });
    ok(await shop.request('POST', `/admin/deliveries/${row.deliveryId}:redeliver`, {}, staff('shop')));
    ok(await shop.cancel(order, 'shop'));
    await eventually('the later one is delivered', async () =>
      (await shown(order)).includes('order.cancelled delivered 1'),
    );
    expect((await shown(order))[0]).to.contain('order.created pending');
  });

  it('nothing is sent from a database that was started elsewhere, until it is taken over', async () => {
    await noteFirstPlace(shop.database);
    await shop.database('database_place').update({ database_oid: 1 });
    const order = await shop.create('shop', cash);
    expect(await claimDeliveries(shop.database, limits)).to.deep.equal([]);
    expect(await shown(order)).to.deep.equal(['order.created pending 0']);
    expect(await takeOverDatabase(shop.database, { actor: 'service:adopt', by: 'grace' })).to.not.equal(null);
    const audited = await shop.database('audit_entry').where({ action: 'tenant.adopt' }).orderBy('subject_id');
    expect(audited.map(({ subjectId, actor, after }) => [subjectId, actor, after])).to.deep.equal(
      ['other', 'shop'].map((tenantId) => [tenantId, 'service:adopt', { by: 'grace' }]),
    );
    shop.startRelay();
    await settled(order);
    expect(merchant.of(order)).to.have.length(1);
  });

  /** Resolves once a statement waits for a lock. */
  const waiting = () =>
    eventually('a statement waits', async () => {
      const found = await shop.database.raw(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return (found as { rows: unknown[] }).rows.length > 0;
    });
  const dueTypes = async () =>
    (await claimDeliveries(shop.database, limits)).map(({ body }) => (JSON.parse(body) as { type: string }).type);

  it('an event becomes due although the one before ends while it is being written', async () => {
    const order = await shop.create('shop', cash);
    const [claimed] = await claimDeliveries(shop.database, limits);
    if (!claimed) throw new Error('nothing to claim');
    const writing = await shop.database.transaction();
    const row = await lockOrder(writing, order.orderId);
    if (!row) throw new Error('no order');
    await setStatuses(writing, row, transitions.cancelledBeforePay());
    const ending = endDelivery(shop.database, claimed, 'delivered', { status: 200, error: null });
    await waiting();
    await writing.commit();
    await ending;
    expect(await dueTypes()).to.deep.equal(['order.cancelled']);
  });

  it('an event becomes due although it is written while the one before is ending', async () => {
    const order = await shop.create('shop', cash);
    const ending = await shop.database.transaction();
    await ending('delivery')
      .where({ status: 'pending' })
      .update({ status: 'delivered', next_attempt_at: null, settled_at: new Date() });
    const cancelling = shop.cancel(order, 'shop');
    await waiting();
    await ending.commit();
    ok(await cancelling);
    expect(await dueTypes()).to.deep.equal(['order.cancelled']);
  });

  it('a delivery belongs to one process until its lease ends; an outcome from before that is not stored', async () => {
    const order = await shop.create('shop', cash);
    const claims = await Promise.all([1, 2, 3].map(() => claimDeliveries(shop.database, { ...limits, leaseMs: 1 })));
    expect(claims.flat().filter(({ attempt }) => attempt === 1)).to.have.length(1);
    const again = await eventually('the lease is over', async () => {
      const [found] = await claimDeliveries(shop.database, limits);
      return found ?? false;
    });
    expect(again.attempt).to.be.greaterThan(1);
    expect(await claimDeliveries(shop.database, limits)).to.deep.equal([]);
    await endDelivery(shop.database, { ...again, attempt: again.attempt - 1 }, 'failed', { status: 500, error: null });
    expect((await shown(order))[0]).to.equal(`order.created pending ${again.attempt}`);
  });

  it('several processes deliver each event once', async () => {
    const orders = await Promise.all(Array.from({ length: 30 }, () => cancelled()));
    for (let n = 0; n < 3; n += 1) shop.startRelay();
    for (const order of orders) await settled(order);
    for (const order of orders) {
      expect(merchant.of(order).map(({ event }) => event.type)).to.deep.equal(['order.created', 'order.cancelled']);
      expect(await shown(order)).to.deep.equal(['order.created delivered 1', 'order.cancelled delivered 1']);
    }
  });

  it('what a process had claimed when it died is sent by another one once the lease is over', async () => {
    const order = await shop.create('shop', cash);
    const [claimed] = await claimDeliveries(shop.database, { ...limits, leaseMs: 200 });
    expect(claimed?.body).to.contain(order.orderId);
    shop.startRelay();
    await settled(order);
    expect(await shown(order)).to.deep.equal(['order.created delivered 2']);
  });

  it('a receiver that does not respond takes up its share of posts, and other tenants get theirs', async () => {
    const open: (() => void)[] = [];
    merchant.state.respond = ({ path }, response) => {
      if (path === '/shop') open.push(() => void response.writeHead(200).end());
      else response.writeHead(200).end();
    };
    const slow = await Promise.all(Array.from({ length: 10 }, () => shop.create('shop', cash)));
    shop.startRelay({ total: 8, perWebhook: 4 });
    await eventually('its share is under way', () => open.length === 4);
    const other = await cancelled('other');
    await settled(other);
    expect(open).to.have.length(4);
    merchant.state.respond = merchant.accept;
    for (const end of open) end();
    for (const order of slow) await settled(order);
  });

  it('stops after what is under way has ended, and claims nothing more', async () => {
    let end = () => {};
    merchant.state.respond = (_, response) => {
      end = () => void response.writeHead(200).end();
    };
    const order = await cancelled();
    shop.startRelay();
    await eventually('it is under way', () => merchant.of(order).length === 1);
    const stopped = shop.stopRelays();
    end();
    await stopped;
    expect(await shown(order)).to.deep.equal(['order.created delivered 1', 'order.cancelled pending 0']);
  });

  it('metrics show what is pending and for how long, attempts by result, and what failed', async () => {
    const sample = async (name: string) => (await readMetrics(shop.metricsAddress)).get(name);
    const before = (await sample('orders_delivery_attempts_total{result="rejected"}')) ?? 0;
    merchant.state.respond = (_, response) => void response.writeHead(503).end();
    const order = await shop.create('shop', cash);
    await shop
      .database('delivery')
      .where({ status: 'pending' })
      .update({ created_at: new Date(Date.now() - 7_200_000) });
    shop.startRelay();
    await eventually('attempts are counted', async () => {
      const rejected = (await sample('orders_delivery_attempts_total{result="rejected"}')) ?? 0;
      return rejected > before;
    });
    expect(await sample('orders_deliveries{status="pending"}')).to.equal(1);
    expect(await sample('orders_delivery_oldest_seconds')).to.be.at.least(7200);
    await shop
      .database('delivery')
      .where({ status: 'pending' })
      .update({ trying_since: new Date(Date.now() - GIVE_UP_AFTER_MS), next_attempt_at: new Date() });
    await settled(order);
    expect(await sample('orders_deliveries{status="failed"}')).to.equal(1);
    expect(await sample('orders_deliveries{status="pending"}')).to.equal(0);
    expect(await sample('orders_delivery_oldest_seconds')).to.equal(0);
    expect(await sample('orders_delivery_attempts_total{result="given_up"}')).to.be.at.least(1);
  });
});
