import { expect } from 'chai';
import type { PaymentRef } from '#domain/orders/payment.ts';
import { orderStatus } from '#domain/orders/states.ts';
import { lineOf, openedPayment, seedGoods, seedOrder, seedTenants } from '#test/orders/support/order-rows.ts';
import { triple } from '#test/orders/support/shop.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { raiseFlags } from '../events/flags.ts';
import { cancelCreated, findPayment, requestCancel } from '../payments.ts';
import { completePayment, endPayment, undoPayment } from './ends.ts';

describe('the end of a payment', () => {
  const database = useDatabase('orders');
  before(() => seedTenants(database));

  const first = (orderId: string): PaymentRef => ({ orderId, attempt: 1 });

  /** A payment that holds two of its own goods, a coupon and ten points. */
  async function holding(name: string, chargeId: string | null = null): Promise<PaymentRef> {
    await seedGoods(database, name, 2);
    await database('coupon').insert({ coupon_id: name, name, tenant_id: 'shop', user_id: name });
    await database('point_account').insert({
      tenant_id: 'shop',
      user_id: name,
      kind: 'tenant',
      granted: 10,
      available: 10,
    });
    await seedOrder(database, name, { userId: name, lines: [lineOf(name, 2)], couponIds: [name], tenantPoints: 10 });
    await openedPayment(database, name, { chargeId });
    return first(name);
  }

  async function held(name: string) {
    const goods = await database('goods').where({ goods_id: name }).first('stock', 'held');
    const coupon = await database('coupon').where({ coupon_id: name }).first('status');
    const points = await database('point_account').where({ user_id: name }).first('available', 'reserved', 'committed');
    return { ...goods, coupon: coupon.status, ...points };
  }
  const reserved = { stock: 2, held: 2, coupon: 'reserved', available: 0, reserved: 10, committed: 0 };
  const released = { stock: 2, held: 0, coupon: 'available', available: 10, reserved: 0, committed: 0 };
  const committed = { stock: 0, held: 0, coupon: 'used', available: 0, reserved: 0, committed: 10 };

  it('takes what was held once it is paid, and only once', async () => {
    const ref = await holding('paid', 'ch-paid');
    expect(triple(await completePayment(database, ref, 'gateway'))).to.equal('30/30/30');
    expect(await held('paid')).to.deep.equal(committed);
    expect(triple(await endPayment(database, ref, 'cancelled'))).to.equal('30/30/30');
    expect(triple(await completePayment(database, ref, 'gateway'))).to.equal('30/30/30');
    expect(await held('paid')).to.deep.equal(committed);
  });

  for (const [end, expected] of [
    ['refused', '40/40/40'],
    ['expired', '50/40/40'],
    ['cancelled', '60/40/40'],
  ] as const)
    it(`gives back what was held where it is ${end}, and only once`, async () => {
      const ref = await holding(end, `ch-${end}`);
      expect(triple(await endPayment(database, ref, end))).to.equal(expected);
      expect(await held(end)).to.deep.equal(released);
      expect(triple(await completePayment(database, ref, 'gateway'))).to.equal(expected);
      expect(await held(end)).to.deep.equal(released);
    });

  it('leaves what another order holds', async () => {
    const ref = await holding('own');
    await database('coupon').where({ coupon_id: 'own' }).update({ order_id: 'another' });
    const failed = await endPayment(database, ref, 'cancelled').catch((error: Error) => error.message);
    expect(failed).to.equal('order own does not hold what it should release');
    expect(await held('own')).to.deep.equal(reserved);
  });

  it('is not that of an earlier attempt', async () => {
    const ref = await holding('again');
    expect(triple(await undoPayment(database, ref, { sends: 0 }))).to.equal('0/0/0');
    await openedPayment(database, 'again', { attempt: 2 });
    expect(await endPayment(database, ref, 'cancelled')).to.include({
      orderStatus: orderStatus.PAYMENT_PENDING,
      attempt: 2,
    });
    expect(await held('again')).to.deep.equal(reserved);
  });

  for (const [how, end] of [
    ['undone', (ref: PaymentRef) => undoPayment(database, ref, { sends: 0 })],
    ['refused', (ref: PaymentRef) => endPayment(database, ref, 'refused', { sends: 0 })],
    ['over', (ref: PaymentRef) => endPayment(database, ref, 'expired', { sends: 0 })],
  ] as const)
    it(`is a cancel where the payer asked for it before a payment whose charge was never made is ${how}`, async () => {
      const ref = await holding(`asked-${how}`);
      await requestCancel(database, ref);
      expect(triple(await end(ref))).to.equal('60/40/40');
      expect(await held(`asked-${how}`)).to.deep.equal(released);
    });

  it('comes once: a hold that has ended moves nothing', async () => {
    const ref = await holding('over', 'ch-over');
    await database('payment_attempt').where({ order_id: 'over' }).update({ hold_status: 'released' });
    expect(await completePayment(database, ref, 'gateway')).to.include({ orderStatus: orderStatus.PAYMENT_PENDING });
    expect(await held('over')).to.deep.equal(reserved);
  });

  it('by a call that knows of no charge counts only while none was sent since', async () => {
    const ref = await holding('sent');
    await database('payment_attempt').where({ order_id: 'sent' }).update({ charge_sends: 2 });
    expect(await endPayment(database, ref, 'expired', { sends: 1 })).to.include({
      orderStatus: orderStatus.PAYMENT_PENDING,
    });
    expect(await held('sent')).to.deep.equal(reserved);
    await database('payment_attempt').where({ order_id: 'sent' }).update({ charge_id: 'ch-sent' });
    expect(await endPayment(database, ref, 'expired', { sends: 2 })).to.include({
      orderStatus: orderStatus.PAYMENT_PENDING,
    });
    await database('payment_attempt').where({ order_id: 'sent' }).update({ charge_id: null });
    expect(triple(await endPayment(database, ref, 'expired', { sends: 2 }))).to.equal('50/40/40');
    expect(await held('sent')).to.deep.equal(released);
  });

  it('of a flagged order waits for staff', async () => {
    const ref = await holding('flagged', 'ch-flagged');
    await raiseFlags(database, 'flagged', [{ code: 'amount_mismatch', expected: '10.00', reported: '9.00' }]);
    for (const ask of [() => completePayment(database, ref, 'gateway'), () => endPayment(database, ref, 'expired')])
      expect(await ask()).to.include({ orderStatus: orderStatus.PAYMENT_PENDING });
    expect(await held('flagged')).to.deep.equal(reserved);
    expect(triple(await completePayment(database, ref, 'staff'))).to.equal('30/30/30');
    expect(await held('flagged')).to.deep.equal(committed);
  });

  it('before it began is possible only while nothing is being paid', async () => {
    const { orderId } = await holding('begun');
    expect(await cancelCreated(database, orderId)).to.equal(false);
    expect(await findPayment(database, orderId)).to.include({ orderStatus: orderStatus.PAYMENT_PENDING });
    await seedOrder(database, 'fresh');
    expect(await cancelCreated(database, 'fresh')).to.equal(true);
    expect(await findPayment(database, 'fresh')).to.include({ orderStatus: orderStatus.CANCELLED });
  });
});
