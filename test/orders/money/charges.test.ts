import { expect } from 'chai';
import { createChargeActivities } from '#activities/orders/charge-payment.ts';
import { postponeRead } from '#db/orders/charges/reads.ts';
import { recordCharge } from '#db/orders/charges/sends.ts';
import { nextReadAfterMs } from '#domain/orders/charge-reads.ts';
import { useOrders } from '#test/support/fixtures/orders.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { ok, payBriefly, triple } from '../support/shop.ts';

const cash = { grossMoneyAmount: 100, moneyAmount: 100 };
const withPoints = { ...cash, moneyAmount: 99, pointsPlan: { walletPoints: 4 } };

describe('charges: lost callbacks, late calls and money for other charges', function () {
  this.timeout(180_000);
  const shop = useOrders({ points: { wallet: 10_000 } });

  beforeEach(() => {
    shop.gateway.state.fault = () => undefined;
  });

  const paid = async (body: object = cash) => {
    const order = await shop.create('shop', body);
    ok(await shop.payUntilKnown(order, 'shop'));
    return order;
  };
  const chargesOf = (orderNo: string) =>
    [...shop.gateway.charges.values()].filter((charge) => charge.orderNo === orderNo);
  const sweep = (now = new Date()) => shop.activities.driveOrders({ now: now.toISOString() });
  const dueNow = (orderId: string) =>
    shop.database('payment_attempt').where({ order_id: orderId }).update({ next_read_at: new Date() });
  const nextReadOf = async (orderId: string) => {
    const row = await shop.database('payment_attempt').where({ order_id: orderId }).first();
    return row.nextReadAt === null ? null : Math.round((row.nextReadAt - row.endedAt) / 60_000);
  };

  it('B3: a pending charge is read 10 s after it was made, then 20 s later, 40 s later, …, at most 5 minutes apart', () => {
    expect([0, 1, 2, 3, 4, 5, 50].map(nextReadAfterMs)).to.deep.equal([
      10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000,
    ]);
  });

  it('B3: a lost callback: what reads as paid completes the order', async () => {
    const order = await paid(withPoints);
    await shop.gateway.pay(order.orderNo, { lost: true });
    await shop.until(order, 'shop', '30/30/30');
    const { attempts, events } = (await shop.staffOrder(order, 'shop')) as unknown as {
      attempts: { readAt: string | null; received: object | null }[];
      events: unknown[];
    };
    expect(events).to.deep.equal([]);
    expect(attempts[0]?.readAt).to.be.a('string');
    expect(attempts[0]?.received).to.include({ amount: 99, currency: 'TWD' });
  });

  it('B3: the charge is read at once when pay is called again', async () => {
    const order = await paid();
    await shop.gateway.pay(order.orderNo, { lost: true });
    const again = ok(await shop.pay(order, 'shop'));
    expect(triple(again.data)).to.equal('30/30/30');
    expect(again.data.paymentUrl).to.equal(null);
  });

  it('B3: pay again responds from the row if the gateway cannot be reached', async () => {
    const order = await paid();
    shop.gateway.state.fault = ({ operation }) => (operation === 'read' ? 'reset' : undefined);
    expect(triple(ok(await shop.pay(order, 'shop')).data)).to.equal('20/0/10');
    shop.gateway.state.fault = () => undefined;
    ok(await shop.cancel(order, 'shop'));
  });

  it('B3: after the end the charge is read after 1 min, 1 h and 24 h, and money found then is refunded', async () => {
    const order = await paid();
    expect(triple(ok(await shop.cancel(order, 'shop')).data)).to.equal('60/0/40');
    for (const [age, next] of [
      ['0 s', 1],
      ['2 min', 60],
      ['2 h', 1440],
    ] as const) {
      await shop.database.raw(`update payment_attempt set ended_at = now() - cast(? as interval) where order_id = ?`, [
        age,
        order.orderId,
      ]);
      await dueNow(order.orderId);
      await sweep(new Date(Date.now() + 1000));
      await eventually('the next read is planned', async () => (await nextReadOf(order.orderId)) === next);
    }
    await shop.gateway.pay(order.orderNo, { late: true, lost: true });
    await dueNow(order.orderId);
    await sweep(new Date(Date.now() + 1000));
    await shop.until(order, 'shop', '60/0/60');
    const charge = shop.gateway.chargeOf(order.orderNo);
    expect(charge.status).to.equal('refunded');
    const refund = shop.gateway.of('refund').find(({ chargeId }) => chargeId === charge.chargeId);
    expect(refund?.idempotencyKey).to.equal(`refund:${charge.chargeId}`);
    expect(await nextReadOf(order.orderId)).to.equal(null);
  });

  it('B3: a charge that cannot be read is asked for again after 1 minute, and ever less often up to 10', async () => {
    const order = await paid();
    ok(await shop.cancel(order, 'shop'));
    const ref = { orderId: order.orderId, attempt: 1 };
    for (const [since, wait] of [
      ['0 s', 1],
      ['4 min', 1],
      ['20 min', 5],
      ['3 days', 10],
    ] as const) {
      await shop.database.raw(
        `update payment_attempt set read_due_at = now() - cast(? as interval) where order_id = ?`,
        [since, order.orderId],
      );
      await postponeRead(shop.database, ref);
      const { nextReadAt } = await shop.database('payment_attempt').where({ order_id: order.orderId }).first();
      expect(Math.round((nextReadAt - Date.now()) / 60_000)).to.equal(wait);
    }
    await shop.database('payment_attempt').where({ order_id: order.orderId }).update({ next_read_at: null });
  });

  it('B4: money for an earlier attempt of a pending order is refunded, and the order goes on', async () => {
    shop.gateway.state.fault = ({ operation }) => (operation === 'create' ? { response: [401, {}] } : undefined);
    const order = await shop.create('shop', withPoints);
    expect((await shop.pay(order, 'shop')).code).to.equal(90304);
    shop.gateway.state.fault = () => undefined;
    ok(await shop.payUntilKnown(order, 'shop'));
    const [current] = chargesOf(order.orderNo);
    if (!current) throw new Error('no charge');
    // The gateway made the first charge after all, and the payer has its link.
    const earlier = { ...current, chargeId: `earlier-${order.orderNo}`, status: 'paid' as const };
    shop.gateway.charges.set(earlier.chargeId, earlier);
    expect(await shop.gateway.callback(earlier)).to.include({ status: 200 });
    await eventually('refunded', () => shop.gateway.charges.get(earlier.chargeId)?.status === 'refunded');
    expect(triple(await shop.item(order, 'shop'))).to.equal('20/10/10');
    await shop.gateway.payCharge(current);
    await shop.until(order, 'shop', '30/30/30');
    const unmatched = ok(
      await shop.request('GET', '/admin/callbacks/unmatched', undefined, {
        tenantId: 'shop',
        roles: ['order_admin'],
      }),
    ).data as unknown as { items: { orderNo: string }[] };
    expect(unmatched.items.filter(({ orderNo }) => orderNo === order.orderNo)).to.deep.equal([]);
  });

  it('B4: money for an order that is back at CREATED, or whose charge is not known yet, is refunded as well', async () => {
    const order = await shop.create('shop', cash);
    const stranger = {
      chargeId: `stranger-${order.orderNo}`,
      status: 'paid' as const,
      amount: 100,
      currency: 'TWD',
      shopId: 'paygw-shop',
      orderNo: order.orderNo,
      callbackURL: `${shop.base}/payment-gateway/callback`,
      expiresAt: '',
      createdAt: new Date().toISOString(),
      refundedAmount: 0,
    };
    shop.gateway.charges.set(stranger.chargeId, stranger);
    await shop.gateway.callback(stranger);
    await eventually('refunded', () => stranger.status !== ('paid' as string));
    expect(triple(await shop.item(order, 'shop'))).to.equal('0/0/0');
    const second = { ...stranger, chargeId: `second-${order.orderNo}`, status: 'paid' as const, refundedAmount: 0 };
    shop.gateway.charges.set(second.chargeId, second);
    shop.gateway.state.fault = ({ operation }) => {
      if (operation !== 'create') return undefined;
      shop.gateway.state.fault = () => undefined;
      return { holdUntil: shop.gateway.callback(second) };
    };
    ok(await shop.payUntilKnown(order, 'shop'));
    await eventually('refunded', () => second.status !== ('paid' as string));
    await shop.gateway.pay(order.orderNo);
    const own = chargesOf(order.orderNo).find(({ status }) => status === 'pending');
    if (own) await shop.gateway.payCharge(own);
    await shop.until(order, 'shop', '30/30/30');
  });

  it('B5: a first call that learns too late that it never connected changes nothing once the second made the charge', async () => {
    const order = await shop.create('shop', withPoints);
    const { activities, paymentGateway } = shop;
    let learn: () => void = () => undefined;
    const stalled = createChargeActivities({
      database: shop.database,
      maxOpenHolds: 20,
      traces: null,
      callbackUrl: `${shop.base}/payment-gateway/callback`,
      gateway: {
        ...paymentGateway,
        createCharge: async () => {
          await new Promise<void>((resolve) => (learn = resolve));
          return { kind: 'not_reached', reason: 'ECONNREFUSED' };
        },
      },
    });
    await shop.stopWorkers();
    const ref = { orderId: order.orderId, attempt: 1 };
    const expiresAt = new Date(Date.now() + 600_000).toISOString();
    const begun = stalled.beginPayment({ ...ref, expiresAt, resultURL: null, cancelURL: null });
    await eventually('the first call was counted', async () => {
      const row = await shop.database('payment_attempt').where({ order_id: order.orderId }).first();
      return row.chargeSends === 1;
    });
    const second = await activities.createCharge(ref);
    expect(second.kind).to.equal('charged');
    learn();
    await shop.startWorker();
    expect((await begun).charge?.state).to.deep.include({ orderStatus: 20, pointsStatus: 10, paymentStatus: 10 });
    await shop.gateway.pay(order.orderNo);
    await shop.until(order, 'shop', '30/30/30');
    expect(chargesOf(order.orderNo)).to.have.length(1);
  });

  it('B5: a payment whose opener died while it sent the charge is not given back, though nobody listens at the gateway', async () => {
    const order = await shop.create('shop', withPoints);
    await shop.stopWorkers();
    let sends = 0;
    const unreachable = () =>
      createChargeActivities({
        database: shop.database,
        maxOpenHolds: 20,
        traces: null,
        callbackUrl: '',
        gateway: {
          ...shop.paymentGateway,
          createCharge: () => {
            sends += 1;
            return sends === 1
              ? Promise.reject(new Error('killed'))
              : Promise.resolve({ kind: 'not_reached', reason: 'ECONNREFUSED' });
          },
        },
      });
    const expiresAt = new Date(Date.now() + 600_000).toISOString();
    const input = { orderId: order.orderId, attempt: 1, expiresAt, resultURL: null, cancelURL: null };
    const killed = await unreachable()
      .beginPayment(input)
      .catch((error: Error) => error.message);
    expect(killed).to.equal('killed');
    const { opened, charge } = await unreachable().beginPayment(input);
    expect([opened.kind, charge, sends]).to.deep.equal(['opened', null, 2]);
    await shop.startWorker();
    expect(triple(await shop.item(order, 'shop'))).to.equal('20/10/10');
    ok(await shop.payUntilKnown(order, 'shop'));
    ok(await shop.cancel(order, 'shop'));
  });

  it('B5: nor does a late rejection, and nothing is released while a second call is on its way', async () => {
    const order = await shop.create('shop', withPoints);
    const { activities, paymentGateway } = shop;
    await shop.stopWorkers();
    const ref = { orderId: order.orderId, attempt: 1 };
    const expiresAt = new Date(Date.now() + 600_000).toISOString();
    await activities.openPayment({ ...ref, expiresAt, resultURL: null, cancelURL: null });
    const rejecting = createChargeActivities({
      database: shop.database,
      maxOpenHolds: 20,
      traces: null,
      callbackUrl: '',
      gateway: {
        ...paymentGateway,
        createCharge: async () => {
          // Meanwhile the second call is counted, and has no outcome yet.
          await shop.database('payment_attempt').where({ order_id: order.orderId }).increment('charge_sends', 1);
          return { kind: 'rejected', code: 'shop_closed' };
        },
      },
    });
    const failure = await rejecting.createCharge(ref).catch((error: Error) => error.message);
    await shop.startWorker();
    expect(failure).to.equal('another send of the charge has overtaken this one');
    expect(triple(await shop.item(order, 'shop'))).to.equal('20/10/10');
    ok(await shop.payUntilKnown(order, 'shop'));
    ok(await shop.cancel(order, 'shop'));
  });

  it('B5: a charge that was made after its payment had ended is cancelled, so that nobody can pay it', async () => {
    const order = await payBriefly(shop, shop.launcher, cash);
    await shop.until(order, 'shop', '50/0/40');
    await shop.database('payment_attempt').where({ order_id: order.orderId }).update({ charge_id: null });
    const charge = shop.gateway.chargeOf(order.orderNo);
    charge.status = 'pending';
    await recordCharge(
      shop.database,
      { orderId: order.orderId, attempt: 1 },
      { chargeId: charge.chargeId, paymentUrl: 'http://pay.test/late' },
    );
    await sweep(new Date(Date.now() + 1000));
    await eventually('cancelled', () => charge.status !== ('pending' as string));
    expect(charge.status).to.equal('cancelled');
  });
});
