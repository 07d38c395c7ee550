import { expect } from 'chai';
import { useOrders } from '#test/support/fixtures/orders.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { ok, triple } from '../support/shop.ts';

const withPoints = { grossMoneyAmount: 100, moneyAmount: 99, pointsPlan: { walletPoints: 4 } };

describe('orders that are flagged before their charge is known', function () {
  this.timeout(180_000);
  const shop = useOrders({ points: { wallet: 10_000 } });

  const respondToCreate = (status: number, body: object = {}) => {
    shop.gateway.state.fault = ({ operation }) => (operation === 'create' ? { response: [status, body] } : undefined);
  };
  const reject = () => respondToCreate(422, { code: 'shop_closed' });
  beforeEach(() => {
    shop.gateway.state.fault = () => undefined;
  });

  const flagsOf = async (order: { orderId: string }) => (await shop.staffOrder(order, 'shop')).flags;
  const stored = (order: { orderId: string }) =>
    shop.database('order_flag').where({ order_id: order.orderId }).first() as Promise<{ resolution: string | null }>;

  /** The gateway does not say what became of the charge, and reports one event id twice, with different contents. */
  async function flagged(report: { type?: string; chargeId?: string } = { type: 'charge.disputed' }) {
    respondToCreate(503);
    const order = await shop.create('shop', withPoints);
    const paying = shop.pay(order, 'shop');
    await eventually('the charge was sent', () =>
      shop.gateway.of('create').some(({ body }) => body['orderNo'] === order.orderNo),
    );
    const charge = {
      chargeId: `early-${order.orderNo}`,
      status: 'paid' as const,
      amount: 99,
      currency: 'TWD',
      shopId: 'paygw-shop',
      orderNo: order.orderNo,
      callbackURL: `${shop.base}/payment-gateway/callback`,
      expiresAt: '',
      createdAt: new Date().toISOString(),
      refundedAmount: 0,
    };
    for (const amount of [99, 98])
      await shop.gateway.callback(charge, { ...report, eventId: `conflict-${order.orderNo}`, amount });
    expect(await flagsOf(order)).to.deep.equal(['event_conflict']);
    return { order, paying, charge };
  }

  it('B5: a charge that is rejected ends the payment, and the flag stays for staff to acknowledge', async () => {
    const before = await shop.points('shop');
    const { order, paying } = await flagged();
    reject();
    expect((await paying).code).to.be.oneOf([90303, 90304]);
    await shop.until(order, 'shop', '40/40/40');
    expect(await shop.points('shop')).to.deep.equal(before);
    expect(await flagsOf(order)).to.deep.equal(['event_conflict']);
    expect(triple(ok(await shop.resolve(order, 'shop', 'complete')).data)).to.equal('40/40/40');
    expect(await flagsOf(order)).to.deep.equal([]);
  });

  it('B4: money that was reported for another charge goes back when the own one is rejected', async () => {
    const { order, paying, charge } = await flagged({});
    shop.gateway.charges.set(charge.chargeId, charge);
    reject();
    await paying;
    await shop.until(order, 'shop', '40/40/60');
    expect(charge.status).to.equal('refunded');
  });

  it('B6: complete of a payment without a charge → 90206, and the order waits for another decision', async () => {
    const { order, paying } = await flagged();
    expect(await shop.resolve(order, 'shop', 'complete')).to.include({ status: 409, code: 90206 });
    expect(await stored(order)).to.include({ resolution: null });
    reject();
    await paying;
    await shop.until(order, 'shop', '40/40/40');
    expect(await flagsOf(order)).to.deep.equal(['event_conflict']);
  });

  for (const [how, respond] of [
    ['is rejected', reject],
    ['was made', () => (shop.gateway.state.fault = () => undefined)],
  ] as const)
    it(`B6: refund of a payment without a charge → 40/40/40 once the charge ${how}`, async () => {
      const before = await shop.points('shop');
      const { order, paying } = await flagged();
      const deciding = shop.resolve(order, 'shop', 'refund');
      await eventually('the decision is stored', async () => (await stored(order)).resolution === 'refund');
      respond();
      await Promise.all([deciding, paying]);
      await shop.until(order, 'shop', '40/40/40');
      expect(await shop.points('shop')).to.deep.equal(before);
      expect(await flagsOf(order)).to.deep.equal([]);
    });

  it('B6: refund of a payment whose charge was certainly never made → 40/40/40, not back to 0/0/0', async () => {
    const { activities } = shop;
    await shop.stopWorkers();
    const order = await shop.create('shop', withPoints);
    const ref = { orderId: order.orderId, attempt: 1 };
    const expiresAt = new Date(Date.now() + 600_000).toISOString();
    await activities.openPayment({ ...ref, expiresAt, resultURL: null, cancelURL: null });
    await shop.database('order_flag').insert({
      order_id: order.orderId,
      code: 'event_conflict',
      expected: 'a',
      reported: 'b',
      resolution: 'refund',
      resolved_by: 's-1',
    });
    // The gateway certainly has not processed a request that it does not let in.
    respondToCreate(401);
    const made = await activities.createCharge(ref);
    await shop.startWorker();
    expect(made.kind).to.equal('refused');
    expect(triple(made.state)).to.equal('40/40/40');
    expect(await flagsOf(order)).to.deep.equal([]);
  });
});
