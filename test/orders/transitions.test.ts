import { expect } from 'chai';
import { firstRow } from '#db/database.ts';
import { eventually } from '../support/time/eventually.ts';
import { ok, payBriefly, triple } from './support/shop.ts';
import { useOrders } from '../support/fixtures/orders.ts';

const cash = { grossMoneyAmount: 100, moneyAmount: 100 };
const withPoints = { ...cash, moneyAmount: 99, pointsPlan: { walletPoints: 4 } };

describe('Transitions of S1 and section 7', function () {
  this.timeout(180_000);
  const shop = useOrders({
    tenants: { shop: {}, noshop: { PAYGW_shopId: null } },
    points: { tenant: 10_000, wallet: 10_000, district: 10_000 },
  });

  beforeEach(() => {
    shop.gateway.state.fault = () => undefined;
  });

  it('S1-ST1, S1-ST5, S1-ST8, S1-ST10: (none) → create → 0/0/0 with orderId and orderNo', async () => {
    const created = await shop.create('shop', cash);
    expect(triple(created)).to.equal('0/0/0');
    expect(created.orderNo).to.match(/^\d{8}-[A-Z2-9]{10}$/);
    expect(triple(await shop.item(created, 'shop'))).to.equal('0/0/0');
  });

  it('S1-ST4, S1-ST7, S1-ST11: CREATED → pay with points only → 30/30/0, paymentUrl null, no charge', async () => {
    const before = await shop.points('shop');
    const order = await shop.create('shop', { pointsPlan: { tenantPoints: 30, districtPoints: 2 } });
    const paid = ok(await shop.payUntilKnown(order, 'shop'));
    expect(triple(paid.data)).to.equal('30/30/0');
    expect(paid.data.paymentUrl).to.equal(null);
    const points = await shop.points('shop');
    expect(points.tenant.committed - before.tenant.committed).to.equal(30);
    expect(points.district.committed - before.district.committed).to.equal(2);
    expect(points.tenant.reserved).to.equal(0);
    expect([...shop.gateway.charges.values()].filter((charge) => charge.orderNo === order.orderNo)).to.deep.equal([]);
  });

  it('S1-ST11: CREATED → pay with a coupon only → 30/30/0', async () => {
    await shop.putCoupon('c-only', 'shop');
    const order = await shop.create('shop', { pointsPlan: { couponIds: ['c-only'] } });
    expect(triple(ok(await shop.payUntilKnown(order, 'shop')).data)).to.equal('30/30/0');
    const again = await shop.post(
      '/user/order/create',
      { tenantId: 'shop', pointsPlan: { couponIds: ['c-only'] } },
      { tenantId: 'shop' },
    );
    expect(again.code).to.equal(90201);
  });

  it('S1-ST3, S1-ST6, S1-ST9, S1-ST12, S1-ST14: CREATED → pay with cash and points → 20/10/10, then the callback → 30/30/30', async () => {
    const before = await shop.points('shop');
    const order = await shop.create('shop', {
      ...cash,
      moneyAmount: 98,
      pointsPlan: { tenantPoints: 5, walletPoints: 8 },
    });
    const paid = ok(
      await shop.payUntilKnown(order, 'shop', 'u-1', {
        resultURL: 'https://a.test/done',
        cancelURL: 'https://a.test/no',
      }),
    );
    expect(triple(paid.data)).to.equal('20/10/10');
    const charge = shop.gateway.chargeOf(order.orderNo);
    expect(paid.data.paymentUrl).to.equal(`http://pay.test/${charge.chargeId}`);
    expect(charge).to.include({ amount: 98, currency: 'TWD', shopId: 'paygw-shop', resultURL: 'https://a.test/done' });
    expect((await shop.points('shop')).wallet.reserved).to.equal(8);
    expect(await shop.gateway.pay(order.orderNo)).to.include({ status: 200 });
    await shop.until(order, 'shop', '30/30/30');
    const points = await shop.points('shop');
    expect(points.wallet.committed - before.wallet.committed).to.equal(8);
    expect(points.wallet.reserved).to.equal(0);
    expect((await shop.item(order, 'shop')).paymentUrl).to.equal(null);
  });

  it('S1-ST13, S1-ST14: CREATED → pay with cash only → 20/0/10, the callback → 30/30/30', async () => {
    const order = await shop.create('shop', cash);
    expect(triple(ok(await shop.payUntilKnown(order, 'shop')).data)).to.equal('20/0/10');
    await shop.gateway.pay(order.orderNo);
    await shop.until(order, 'shop', '30/30/30');
  });

  it('S1-ST15: DONE → pay again → the same response, no second deduction', async () => {
    const order = await shop.create('shop', { pointsPlan: { tenantPoints: 7 } });
    const first = ok(await shop.payUntilKnown(order, 'shop'));
    const before = await shop.points('shop');
    expect(ok(await shop.payUntilKnown(order, 'shop')).data).to.deep.equal(first.data);
    expect(await shop.points('shop')).to.deep.equal(before);
  });

  it('S1-ST16: PAYMENT_PENDING → pay again → the same paymentUrl, no second charge', async () => {
    const order = await shop.create('shop', cash);
    const first = ok(await shop.payUntilKnown(order, 'shop'));
    expect(ok(await shop.payUntilKnown(order, 'shop')).data).to.deep.equal(first.data);
    const charges = [...shop.gateway.charges.values()].filter((charge) => charge.orderNo === order.orderNo);
    expect(charges).to.have.length(1);
  });

  it('S1-ST17, S1-ER11: gateway rejects → 40/40/40 and 90303 with the statuses; FAILED → pay → 90202', async () => {
    shop.gateway.state.fault = ({ operation }) =>
      operation === 'create' ? { response: [422, { code: 'shop_closed' }] } : undefined;
    const before = await shop.points('shop');
    const order = await shop.create('shop', withPoints);
    const paid = await shop.pay(order, 'shop');
    expect(paid).to.include({ status: 502, code: 90303 });
    expect(triple(paid.data)).to.equal('40/40/40');
    expect(await shop.points('shop')).to.deep.equal(before);
    const again = await shop.pay(order, 'shop');
    expect(again).to.include({ status: 409, code: 90202, data: null });
  });

  it('S1-ST17, S1-ER11: TTL passes → the charge is cancelled, then 50/40/40; pay → 90202; a late payment is refunded → 60', async () => {
    const order = await payBriefly(shop, shop.launcher, withPoints);
    await shop.until(order, 'shop', '50/40/40');
    expect(shop.gateway.chargeOf(order.orderNo).status).to.equal('cancelled');
    expect((await shop.pay(order, 'shop')).code).to.equal(90202);
    expect((await shop.points('shop')).wallet.reserved).to.equal(0);
    await shop.gateway.pay(order.orderNo, { late: true });
    await shop.until(order, 'shop', '50/40/60');
    const { chargeId } = shop.gateway.chargeOf(order.orderNo);
    const refunds = shop.gateway.of('refund').filter((call) => call.chargeId === chargeId);
    expect(refunds.map((call) => call.idempotencyKey)).to.deep.equal([`refund:${chargeId}`]);
  });

  it('TTL passes when the charge is already paid → it completes', async () => {
    const order = await payBriefly(shop, shop.launcher, cash);
    shop.gateway.state.fault = (call) => {
      // Paid just before the cancel arrives, and its callback is lost.
      if (call.operation === 'cancel') shop.gateway.chargeOf(order.orderNo).status = 'paid';
      return undefined;
    };
    await shop.until(order, 'shop', '30/30/30');
  });

  it('CREATED → cancel → 60/0/0; pay → 90202; cancel again → the same', async () => {
    const order = await shop.create('shop', cash);
    expect(triple(ok(await shop.cancel(order, 'shop')).data)).to.equal('60/0/0');
    expect((await shop.pay(order, 'shop')).code).to.equal(90202);
    expect(triple(ok(await shop.cancel(order, 'shop')).data)).to.equal('60/0/0');
  });

  it('PAYMENT_PENDING → cancel → 60/40/40, holds released, charge cancelled', async () => {
    const before = await shop.points('shop');
    const order = await shop.create('shop', withPoints);
    ok(await shop.payUntilKnown(order, 'shop'));
    expect(triple(ok(await shop.cancel(order, 'shop')).data)).to.equal('60/40/40');
    expect(shop.gateway.chargeOf(order.orderNo).status).to.equal('cancelled');
    expect(await shop.points('shop')).to.deep.equal(before);
  });

  it('PAYMENT_PENDING → cancel, paid in the meantime → it completes; DONE → cancel → 90202', async () => {
    const order = await shop.create('shop', cash);
    ok(await shop.payUntilKnown(order, 'shop'));
    shop.gateway.chargeOf(order.orderNo).status = 'paid';
    expect(triple(ok(await shop.cancel(order, 'shop')).data)).to.equal('30/30/30');
    expect((await shop.cancel(order, 'shop')).code).to.equal(90202);
  });

  it('gateway unreachable → 90304 with 0/0/0, nothing held, and the next pay is a new attempt', async () => {
    const order = await shop.create('shop', withPoints);
    const before = await shop.points('shop');
    shop.gateway.state.fault = ({ operation }) => (operation === 'create' ? { response: [401, {}] } : undefined);
    const paid = await shop.pay(order, 'shop');
    expect(paid).to.include({ status: 503, code: 90304 });
    expect(triple(paid.data)).to.equal('0/0/0');
    expect(await shop.points('shop')).to.deep.equal(before);
    shop.gateway.state.fault = () => undefined;
    expect(triple(ok(await shop.payUntilKnown(order, 'shop')).data)).to.equal('20/10/10');
    const keys = shop.gateway.of('create').map((call) => call.idempotencyKey);
    expect(keys).to.include.members([`charge:${order.orderId}:1`, `charge:${order.orderId}:2`]);
  });

  it('charge created and its response lost → retried with the same key, one charge', async () => {
    const order = await shop.create('shop', cash);
    let lost = false;
    shop.gateway.state.fault = ({ operation }) => {
      if (operation !== 'create' || lost) return undefined;
      lost = true;
      return 'lost';
    };
    expect(triple(ok(await shop.payUntilKnown(order, 'shop')).data)).to.equal('20/0/10');
    const keys = shop.gateway
      .of('create')
      .map((call) => call.idempotencyKey)
      .filter((key) => key?.includes(order.orderId));
    expect(keys).to.deep.equal([`charge:${order.orderId}:1`, `charge:${order.orderId}:1`]);
    const charges = [...shop.gateway.charges.values()].filter((charge) => charge.orderNo === order.orderNo);
    expect(charges).to.have.length(1);
  });

  it('another amount → flagged, holds stay, expiry does not complete; staff complete it', async () => {
    const order = await payBriefly(shop, shop.launcher, withPoints);
    const charge = shop.gateway.chargeOf(order.orderNo);
    charge.amount = 1;
    await shop.gateway.pay(order.orderNo);
    await eventually('flagged', async () => (await shop.staffOrder(order, 'shop')).flags.length > 0);
    await eventually('expiry has passed', async () => {
      const row = await firstRow<{ passed: boolean }>(
        shop.database,
        `select expires_at < now() - interval '300 milliseconds' as passed from payment_attempt where order_id = :orderId`,
        { orderId: order.orderId },
      );
      return row?.passed;
    });
    expect(triple(await shop.item(order, 'shop'))).to.equal('20/10/10');
    expect((await shop.cancel(order, 'shop')).code).to.equal(90202);
    const resolve = await shop.resolve(order, 'shop', 'complete');
    expect(triple(ok(resolve).data)).to.equal('30/30/30');
  });

  it('another currency → flagged; staff refund it: 40/40/50, then 60', async () => {
    const order = await shop.create('shop', withPoints);
    ok(await shop.payUntilKnown(order, 'shop'));
    const charge = shop.gateway.chargeOf(order.orderNo);
    charge.status = 'paid';
    await shop.gateway.callback(charge, { currency: 'USD' });
    await eventually('flagged', async () => (await shop.staffOrder(order, 'shop')).flags.length > 0);
    const resolve = await shop.resolve(order, 'shop', 'refund');
    expect(triple(ok(resolve).data)).to.be.oneOf(['40/40/50', '40/40/60']);
    await shop.until(order, 'shop', '40/40/60');
    const again = await shop.resolve(order, 'shop', 'refund');
    expect(again.code).to.equal(90202);
  });

  it('callback before the response to pay → completes', async () => {
    const order = await shop.create('shop', cash);
    let told: Promise<unknown> = Promise.resolve();
    shop.gateway.state.fault = ({ operation, body }) => {
      if (operation !== 'create' || body['orderNo'] !== order.orderNo) return undefined;
      shop.gateway.state.fault = () => undefined;
      // The charge is made, paid and called back while the response to its creation is still on the way.
      told = eventually('told', async () => (await shop.gateway.pay(order.orderNo, { late: true }))?.status === 200);
      return 'lost';
    };
    ok(await shop.payUntilKnown(order, 'shop'));
    await told;
    await shop.until(order, 'shop', '30/30/30');
  });

  it('callback twice, with one id and with two → one effect', async () => {
    const order = await shop.create('shop', withPoints);
    ok(await shop.payUntilKnown(order, 'shop'));
    const charge = shop.gateway.chargeOf(order.orderNo);
    charge.status = 'paid';
    for (const eventId of [`a-${order.orderId}`, `a-${order.orderId}`, `b-${order.orderId}`])
      expect(await shop.gateway.callback(charge, { eventId })).to.include({ status: 200 });
    await shop.until(order, 'shop', '30/30/30');
    expect(await shop.gateway.callback(charge)).to.include({ status: 200 });
    expect(
      (await shop.staffOrder(order, 'shop')).ledger.filter((entry) => entry.bucket === 'committed'),
    ).to.have.length(1);
    expect((await shop.staffOrder(order, 'shop')).refunds).to.deep.equal([]);
  });
});
