import { expect } from 'chai';
import pMap from 'p-map';
import { WebhookVerificationError } from 'standardwebhooks';
import { newWebhookSecret } from '#clients/webhooks/standard-webhooks.ts';
import type { MerchantEvent } from '#domain/orders/administration/merchant-events.ts';
import { transitions } from '#domain/orders/states.ts';
import { rows } from '#db/database.ts';
import { lockOrder, setStatuses } from '#db/orders/payments.ts';
import { useOrders } from '../support/fixtures/orders.ts';
import { timesOf } from '../support/extent.ts';
import { eventually } from '../support/time/eventually.ts';
import { type Received, useReceiver, verified } from './support/merchant-receiver.ts';
import { ok, payBriefly, staff, triple } from './support/shop.ts';

const cash = { grossMoneyAmount: 100, moneyAmount: 100 };
const noInvoice = { carrierId: null, carrierType: '3J0002', npoban: null, buyerIdentifier: null, buyerName: null };

describe('Events out to merchants', function () {
  this.timeout(180_000);
  const shop = useOrders({ relay: true, points: { tenant: 1_000_000 }, tenants: { shop: {}, quiet: {} } });
  const merchant = useReceiver();
  let secret = '';

  before(async () => {
    const { data } = ok(
      await shop.request('PUT', '/admin/tenants/shop/webhook', { url: `${merchant.url}/hook` }, staff('shop')),
    );
    secret = String(data['secret']);
  });

  beforeEach(() => {
    shop.gateway.state.fault = () => undefined;
    merchant.state.respond = merchant.accept;
  });

  /** The first `count` events of an order, each accepted by the reference library, as `type triple`. */
  async function told(order: { orderId: string }, count: number): Promise<string[]> {
    await eventually(`${count} events`, () => merchant.of(order).length >= count);
    return merchant.of(order).map((call) => {
      const { type, data } = verified(secret, call);
      expect('invoice' in data, `${type} says for whom to issue an invoice`).to.equal(type === 'order.paid');
      return `${type} ${triple(data as Required<MerchantEvent['data']>)}`;
    });
  }

  it('B14: order.created and order.paid of a points-only order, signed, with its data', async () => {
    const order = await shop.create('shop', { pointsPlan: { tenantPoints: 3 }, npoban: '919' });
    ok(await shop.payUntilKnown(order, 'shop'));
    expect(await told(order, 2)).to.deep.equal(['order.created 0/0/0', 'order.paid 30/30/0']);
    const [created, paid] = merchant.of(order);
    expect(paid?.event.data.invoice).to.deep.equal({ ...noInvoice, npoban: '919' });
    if (!created) throw new Error('nothing was received');
    const { type, timestamp, data } = JSON.parse(created.body) as MerchantEvent;
    expect(type).to.equal('order.created');
    expect(new Date(timestamp).toISOString()).to.equal(timestamp);
    const { orderId, orderNo } = order;
    expect(data).to.deep.equal({
      orderId,
      orderNo,
      tenantId: 'shop',
      orderStatus: 0,
      pointsStatus: 0,
      paymentStatus: 0,
      totalMoney: 0,
      currency: 'TWD',
    });
    expect(created.headers['webhook-timestamp']).to.match(/^\d{10}$/);
    expect(created.headers['webhook-signature']).to.match(/^v1,[A-Za-z0-9+/]{43}=$/);
  });

  it('B14: order.paid of an order that was paid at the gateway', async () => {
    const buyer = { carrierId: '/ABC+123', buyerIdentifier: '01234567', buyerName: 'Tea & "Co"' };
    const order = await shop.create('shop', { ...cash, ...buyer });
    ok(await shop.payUntilKnown(order, 'shop'));
    await shop.gateway.pay(order.orderNo);
    expect(await told(order, 2)).to.deep.equal(['order.created 0/0/0', 'order.paid 30/30/30']);
    const invoice = { ...noInvoice, ...buyer };
    expect(merchant.of(order)[1]?.event.data).to.deep.include({ totalMoney: 100, currency: 'TWD', invoice });
  });

  it('B14: order.cancelled, before and after pay', async () => {
    const fresh = await shop.create('shop', cash);
    ok(await shop.cancel(fresh, 'shop'));
    const pending = await shop.create('shop', cash);
    ok(await shop.payUntilKnown(pending, 'shop'));
    ok(await shop.cancel(pending, 'shop'));
    expect(await told(fresh, 2)).to.deep.equal(['order.created 0/0/0', 'order.cancelled 60/0/0']);
    expect(await told(pending, 2)).to.deep.equal(['order.created 0/0/0', 'order.cancelled 60/0/40']);
  });

  it('B14: order.expired; refund.succeeded for money that came later, with the refund', async () => {
    const order = await payBriefly(shop, shop.launcher, cash);
    await shop.until(order, 'shop', '50/0/40', 'u-1', 90_000);
    const charge = shop.gateway.chargeOf(order.orderNo);
    charge.status = 'paid';
    await shop.gateway.callback(charge);
    await shop.until(order, 'shop', '50/0/60');
    expect(await told(order, 3)).to.deep.equal([
      'order.created 0/0/0',
      'order.expired 50/0/40',
      'refund.succeeded 50/0/60',
    ]);
    const refund = merchant.of(order)[2]?.event.data.refund;
    expect(refund).to.include({ refundId: charge.chargeId, chargeId: charge.chargeId });
  });

  it('B14: order.failed where the gateway rejects the charge', async () => {
    shop.gateway.state.fault = ({ operation }) =>
      operation === 'create' ? { response: [422, { code: 'no' }] } : undefined;
    const order = await shop.create('shop', cash);
    expect((await shop.payUntilKnown(order, 'shop')).code).to.equal(90303);
    expect(await told(order, 2)).to.deep.equal(['order.created 0/0/0', 'order.failed 40/0/40']);
  });

  it('B14: order.flagged once, however much differs; then what staff decided', async () => {
    const order = await shop.create('shop', cash);
    ok(await shop.payUntilKnown(order, 'shop'));
    const charge = shop.gateway.chargeOf(order.orderNo);
    Object.assign(charge, { status: 'paid', amount: 99, currency: 'USD' });
    await shop.gateway.callback(charge);
    await eventually('it is flagged', async () => (await shop.staffOrder(order, 'shop')).flags.length === 2);
    expect(await told(order, 2)).to.deep.equal(['order.created 0/0/0', 'order.flagged 20/0/10']);
    ok(await shop.resolve(order, 'shop', 'complete'));
    expect(await told(order, 3)).to.deep.equal(['order.created 0/0/0', 'order.flagged 20/0/10', 'order.paid 30/30/30']);
  });

  it('B14: nothing is written for a tenant without a webhook', async () => {
    const order = await shop.create('quiet', cash);
    ok(await shop.cancel(order, 'quiet'));
    const found = await shop.database('merchant_event').where({ tenant_id: 'quiet' });
    expect(found).to.deep.equal([]);
  });

  it('B14: an event is written in the transaction of the change: with it or not at all', async () => {
    const order = await shop.create('shop', cash);
    const undone = shop.database.transaction(async (transaction) => {
      const row = await lockOrder(transaction, order.orderId);
      if (!row) throw new Error('no order');
      await setStatuses(transaction, row, transitions.cancelledBeforePay());
      const inside = await transaction('merchant_event').where({ order_id: order.orderId }).pluck('type');
      throw new Error(inside.join(' '));
    });
    expect(await undone.catch((error: Error) => error.message)).to.contain('order.cancelled');
    expect(triple(await shop.item(order, 'shop'))).to.equal('0/0/0');
    const types = await shop.database('merchant_event').where({ order_id: order.orderId }).pluck('type');
    expect(types).to.deep.equal(['order.created']);
  });
});

const ORDERS = timesOf(200, 1000);
/** About as many as a minute without the receiver would bring. */
const REFUSED = ORDERS * 0.4;

describe('A receiver that is down in the middle of 1,000 orders', function () {
  this.timeout(300_000);
  const shop = useOrders({ relay: true, points: { tenant: 1_000_000 } });
  const merchant = useReceiver();

  it('B14: gets every event, at least once and in order per order; none forged is accepted', async () => {
    const put = await shop.request('PUT', '/admin/tenants/shop/webhook', { url: merchant.url }, staff('shop'));
    const secret = String(ok(put).data['secret']);
    const accepted: Received[] = [];
    let refused = 0;
    merchant.state.respond = (call, response, request) => {
      const isDown = accepted.length >= ORDERS / 2 && refused < REFUSED;
      if (isDown) refused += 1;
      if (isDown && refused % 3 === 0) return void response.writeHead(503).end();
      if (isDown && refused % 3 === 1) return void request.socket.destroy();
      accepted.push(call);
      // It has the event, but the response is lost: it comes again.
      if (isDown) return void request.socket.destroy();
      return void response.writeHead(200).end('ok');
    };

    const orders = await pMap(
      Array.from({ length: ORDERS }, (_, n) => n),
      async (n) => {
        const order = await shop.create('shop', { pointsPlan: { tenantPoints: 1 } });
        if (n % 5 === 0) ok(await shop.payUntilKnown(order, 'shop'));
        else ok(await shop.cancel(order, 'shop'));
        return { ...order, end: n % 5 === 0 ? 'order.paid' : 'order.cancelled' };
      },
      { concurrency: 20 },
    );
    const open = () => shop.database('delivery').whereNot({ status: 'delivered' }).pluck('status');
    await eventually('everything is delivered', async () => (await open()).length === 0, { timeoutMs: 120_000 });

    expect(refused).to.equal(REFUSED);
    const written = await rows<{ eventId: string }>(shop.database, 'select event_id from merchant_event', {});
    expect(written).to.have.length(2 * ORDERS);
    expect(new Set(accepted.map(({ eventId }) => eventId))).to.deep.equal(
      new Set(written.map(({ eventId }) => eventId)),
    );
    const typesOf = new Map(orders.map(({ orderId }): [string, string[]] => [orderId, []]));
    const seen = new Set<string>();
    for (const call of accepted) {
      const { type, data } = verified(secret, call);
      // A repeat says nothing about the order of events.
      if (!seen.has(call.eventId)) typesOf.get(data.orderId ?? '')?.push(type);
      seen.add(call.eventId);
    }
    expect(accepted.length).to.be.greaterThan(seen.size);
    for (const { orderId, end } of orders) expect(typesOf.get(orderId), orderId).to.deep.equal(['order.created', end]);

    const [genuine] = accepted;
    if (!genuine) throw new Error('nothing was received');
    const { headers, body } = genuine;
    const forgeries = [
      { headers, body: body.replace('order.created', 'order.paid') },
      { headers: { ...headers, 'webhook-id': accepted.at(-1)?.eventId }, body },
      { headers: { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) }, body },
    ];
    for (const forged of forgeries) expect(() => verified(secret, forged)).to.throw(WebhookVerificationError);
    expect(() => verified(newWebhookSecret(), genuine)).to.throw(WebhookVerificationError);
  });
});
