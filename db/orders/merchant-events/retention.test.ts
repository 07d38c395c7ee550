import { expect } from 'chai';
import { useOrders } from '#test/support/fixtures/orders.ts';
import { ok, staff } from '#test/orders/support/shop.ts';
import { deleteOldDeliveries } from '#db/webhooks/retention.ts';
import { deleteWebhook } from './webhooks.ts';

const cash = { grossMoneyAmount: 100, moneyAmount: 100 };

describe('deliveries that nobody waits for any more', () => {
  const shop = useOrders();
  const put = () => shop.request('PUT', '/admin/tenants/shop/webhook', { url: 'http://127.0.0.1:1/' }, staff('shop'));
  beforeEach(async () => void ok(await put()));

  /** An order with one event; when and how its delivery ended. */
  async function ended(days: number, status: string, more: object = {}) {
    const { orderId } = await shop.create('shop', cash);
    const at = new Date(Date.now() - days * 86_400_000);
    const settled = { status, next_attempt_at: null, settled_at: at, trying_since: at, ...more };
    await shop
      .database('delivery')
      .whereIn('event_id', shop.database('merchant_event').where({ order_id: orderId }).select('event_id'))
      .update(status === 'pending' ? { created_at: at } : settled);
    return orderId;
  }
  const stored = async () => {
    const events = await shop.database('merchant_event').orderBy('created_at').select('order_id', 'event_id');
    const deliveries = await shop.database('delivery').select('event_id');
    expect(deliveries.map(({ eventId }) => eventId)).to.have.members(events.map(({ eventId }) => eventId));
    return events.map(({ orderId }) => orderId as string);
  };
  const sweep = () => shop.activities.driveOrders({ now: new Date(Date.now() + 10_000).toISOString() });

  it('B14: what was delivered or given up goes after 30 days, with its event; anything else stays', async () => {
    const delivered = await ended(31, 'delivered');
    const givenUp = await ended(31, 'failed');
    const younger = await ended(29, 'delivered');
    const again = await ended(31, 'delivered', { trying_since: new Date() });
    const pending = await ended(31, 'pending');
    expect(await stored()).to.have.members([delivered, givenUp, younger, again, pending]);
    expect(await deleteOldDeliveries(shop.database, { now: new Date(), limit: 1 })).to.equal(1);
    expect((await sweep()).deliveries).to.equal(1);
    expect(await stored()).to.have.members([younger, again, pending]);
    const order = { orderId: delivered };
    ok(await shop.cancel(order, 'shop'));
    expect(await stored()).to.include(delivered);
  });

  it('B14: a removal of the webhook that is cut short leaves nothing pending', async () => {
    await shop.create('shop', cash);
    const open = () => shop.database('delivery').where({ status: 'pending' }).select('created_at');
    expect(await open()).not.to.have.length(0);
    // The process dies once the removal is committed.
    const dying = new Proxy(shop.database, {
      get: (target, name, receiver) =>
        name === 'raw'
          ? () => Promise.reject(new Error('the process died here'))
          : (Reflect.get(target, name, receiver) as unknown),
    });
    const death: unknown = await deleteWebhook(dying, {
      tenantId: 'shop',
      author: { userId: 's-1', requestId: null, callerRequestId: null },
    }).catch((error: Error) => error);
    expect(death).to.have.property('message', 'the process died here');
    expect(await shop.database('webhook').select()).to.deep.equal([]);
    ok(await put());
    await shop.create('shop', cash);
    await sweep();
    expect(await open()).to.have.length(1);
    expect(await shop.database('webhook_removal').select()).to.deep.equal([]);
  });
});
