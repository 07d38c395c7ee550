import { expect } from 'chai';
import { useDatabase } from '../../../test/support/fixtures/database.ts';
import { Order } from '../models/orders.ts';
import { openPayment } from './open.ts';

describe('the coupons of a payment', () => {
  const database = useDatabase('orders');
  const limits = { maxOpenHolds: 10 };
  const opening = (orderId: string) => ({
    orderId,
    attempt: 1,
    sends: 0 as const,
    expiresAt: new Date(Date.now() + 600_000),
    resultUrl: null,
    cancelUrl: null,
  });

  before(() =>
    database('tenant').insert(
      ['shop', 'other'].map((id) => ({ tenant_id: id, name: id, business_type: 0, shop_id: `paygw-${id}` })),
    ),
  );

  /** An order of `payer` at `shop` with a coupon that belongs to somebody, also since it was created. */
  async function orderWith(name: string, owner: { tenant_id: string; user_id: string }) {
    await database('coupon').insert({ coupon_id: name, name, ...owner });
    await Order.query(database).insert({
      orderId: name,
      orderNo: name,
      tenantId: 'shop',
      userId: 'payer',
      currency: 'TWD',
      totalMinor: 1000,
      grossMinor: 1000,
      tenantPoints: 0,
      districtPoints: 0,
      walletPoints: 0,
      couponIds: [name],
      earnLimitInfos: [],
      pointsTenantId: 'shop',
      lines: [],
      carrierType: '3J0002',
    });
  }

  const couponOf = (name: string) => database('coupon').where({ coupon_id: name }).first('status', 'order_id');
  const attemptsOf = (name: string) => database('payment_attempt').where({ order_id: name }).pluck('hold_status');

  it('are held if they are its payer’s, at its tenant', async () => {
    await orderWith('own', { tenant_id: 'shop', user_id: 'payer' });
    expect((await openPayment(database, opening('own'), limits)).error).to.equal(null);
    expect(await couponOf('own')).to.deep.equal({ status: 'reserved', orderId: 'own' });
    expect(await attemptsOf('own')).to.deep.equal(['reserved']);
  });

  for (const [whose, owner] of [
    ['another payer’s', { tenant_id: 'shop', user_id: 'somebody' }],
    ['another tenant’s', { tenant_id: 'other', user_id: 'payer' }],
  ] as const)
    it(`refuse it, and are not held, if they are ${whose}`, async () => {
      await orderWith(whose, owner);
      expect((await openPayment(database, opening(whose), limits)).error).to.deep.equal({ code: 90201 });
      expect(await couponOf(whose)).to.deep.equal({ status: 'available', orderId: null });
      expect(await attemptsOf(whose)).to.deep.equal([]);
    });
});
