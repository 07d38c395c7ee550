import { expect } from 'chai';
import { GIVE_UP_AFTER_MS } from '#domain/webhooks/retries.ts';
import { rehearse } from '../support/alerts/rehearsal.ts';
import { useOrders } from '../support/fixtures/orders.ts';
import { readMetrics } from '../support/http/metrics.ts';
import { eventually } from '../support/time/eventually.ts';
import { useReceiver } from './support/merchant-receiver.ts';
import { ok, staff } from './support/shop.ts';

const attempts = (result: string) => `orders_delivery_attempts_total{result="${result}"}`;

describe('alerts of the events to merchants', () => {
  const shop = useOrders({ tenants: { shop: {} } });
  const merchant = useReceiver();
  const alerts = rehearse('orders', () => shop.metricsAddress);
  const sample = async (name: string) => (await readMetrics(shop.metricsAddress)).get(name) ?? 0;

  before(async () => {
    merchant.state.respond = merchant.accept;
    const webhook = { url: `${merchant.url}/shop` };
    ok(await shop.request('PUT', '/admin/tenants/shop/webhook', webhook, staff('shop')));
  });
  afterEach(() => shop.stopRelays());

  const order = () => shop.create('shop', { grossMoneyAmount: 10, moneyAmount: 10 });
  /** Pending events are as old as this, and due. */
  const age = (milliseconds: number) =>
    shop
      .database('delivery')
      .where({ status: 'pending' })
      .update({
        created_at: new Date(Date.now() - milliseconds),
        trying_since: new Date(Date.now() - milliseconds),
        next_attempt_at: new Date(),
      });
  const nonePending = () =>
    eventually('none is pending', async () => (await sample('orders_deliveries{status="pending"}')) === 0);

  it('events wait, because the relay is stopped, until it runs again', async () => {
    await alerts.scrape('RelayStopped');
    await order();
    expect(await sample('orders_deliveries{status="pending"}')).to.equal(1);
    await alerts.scrape('RelayStopped');
    shop.startRelay();
    await nonePending();
    await alerts.scrape('RelayStopped');
  });

  it('a merchant does not accept events, until it does', async () => {
    await alerts.scrape('DeliveriesLate');
    merchant.state.respond = (_, response) => void response.writeHead(503).end();
    await order();
    shop.startRelay();
    await eventually('an attempt was rejected', async () => (await sample(attempts('rejected'))) > 0);
    await age(7_200_000);
    expect(await sample('orders_delivery_oldest_seconds')).to.be.at.least(7200);
    await alerts.scrape('DeliveriesLate');
    merchant.state.respond = merchant.accept;
    await age(7_200_000);
    await nonePending();
    await alerts.scrape('DeliveriesLate');
  });

  it('events are given up after three days, until they are delivered again', async () => {
    await alerts.scrape('DeliveriesGivenUp');
    merchant.state.respond = (_, response) => void response.writeHead(503).end();
    const { orderId } = await order();
    await age(GIVE_UP_AFTER_MS);
    shop.startRelay();
    await eventually('it was given up', async () => (await sample(attempts('given_up'))) > 0);
    await alerts.scrape('DeliveriesGivenUp');
    merchant.state.respond = merchant.accept;
    const { deliveryId } = await shop
      .database('delivery as d')
      .join('merchant_event as e', 'e.event_id', 'd.event_id')
      .where({ 'e.order_id': orderId })
      .first('d.delivery_id');
    ok(await shop.post(`/admin/deliveries/${deliveryId}:redeliver`, {}, staff('shop')));
    await nonePending();
    await eventually('none is failed', async () => (await sample('orders_deliveries{status="failed"}')) === 0);
    await alerts.scrape('DeliveriesGivenUp');
  });

  it('what became of deliveries is not stored, because no key opens the webhook’s secret', async () => {
    await alerts.scrape('DeliveriesNotStored');
    const { sealedSecret } = await shop.database('webhook').where({ tenant_id: 'shop' }).first('sealed_secret');
    const seal = (value: string) =>
      shop.database('webhook').where({ tenant_id: 'shop' }).update({ sealed_secret: value });
    await seal('v2.another.AAAA');
    await order();
    shop.startRelay();
    await eventually('an attempt was not stored', async () => (await sample(attempts('not_stored'))) > 0);
    await alerts.scrape('DeliveriesNotStored');
    await seal(sealedSecret);
    await shop.database('delivery').where({ status: 'pending' }).update({ leased_until: null });
    await nonePending();
    await alerts.scrape('DeliveriesNotStored');
  });

  alerts.fireAndClear(['RelayStopped', 'DeliveriesLate', 'DeliveriesGivenUp', 'DeliveriesNotStored']);
});
