import { expect } from 'chai';
import { CHARGE_PAID } from '#domain/orders/event-types.ts';
import { openedPayment, seedOrder, seedTenants } from '#test/orders/support/order-rows.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { completePayment, endPayment } from '../charges/ends.ts';
import { recordEvent } from './events.ts';
import { findCallback } from './unmatched.ts';

describe('the report that a charge is paid', () => {
  const database = useDatabase('orders');
  before(() => seedTenants(database));

  let serial = 0;
  /** Reports that a charge of the order was paid; another report each time. */
  function paid(orderId: string, chargeId: string, type = CHARGE_PAID) {
    serial += 1;
    return recordEvent(
      database,
      {
        eventId: `e-${serial}`,
        type,
        chargeId,
        orderNo: `no-${orderId}`,
        shopId: 'paygw-shop',
        amount: 10,
        currency: 'TWD',
      },
      '{}',
    );
  }
  async function opened(orderId: string, chargeId: string | null = null) {
    await seedOrder(database, orderId);
    await openedPayment(database, orderId, { chargeId });
    return { orderId, attempt: 1 };
  }
  const refundsOf = (orderId: string) => database('refund').where({ order_id: orderId }).pluck('charge_id');

  it('is kept for the payment in progress, whether its charge is known yet or not', async () => {
    await opened('unknown');
    expect((await paid('unknown', 'ch-unknown')).status).to.equal('stored');
    await opened('known', 'ch-known');
    expect((await paid('known', 'ch-known')).status).to.equal('stored');
    expect([...(await refundsOf('unknown')), ...(await refundsOf('known'))]).to.deep.equal([]);
  });

  it('of another charge than the order’s gives its money back', async () => {
    await opened('two', 'ch-two');
    expect(await paid('two', 'ch-other')).to.include({ status: 'refunded', refund: true });
    expect(await refundsOf('two')).to.deep.equal(['ch-other']);
    const ref = await opened('done', 'ch-done');
    await completePayment(database, ref, 'gateway');
    expect((await paid('done', 'ch-done')).status).to.equal('settled');
    expect(await refundsOf('done')).to.deep.equal([]);
    expect((await paid('done', 'ch-twice')).status).to.equal('refunded');
    expect(await refundsOf('done')).to.deep.equal(['ch-twice']);
  });

  it('that comes too late gives the money back, once', async () => {
    const ref = await opened('late', 'ch-late');
    await endPayment(database, ref, 'expired');
    expect((await paid('late', 'ch-late')).status).to.equal('refunded');
    await database('refund').where({ charge_id: 'ch-late' }).update({ status: 'confirmed' });
    expect(await paid('late', 'ch-late')).to.include({ status: 'settled', refund: false });
    expect(await database('refund').where({ charge_id: 'ch-late' }).pluck('status')).to.deep.equal(['confirmed']);
  });

  it('is of that type, and of an order of ours', async () => {
    await opened('other-type', 'ch-type');
    expect((await paid('other-type', 'ch-type', 'charge.seen')).status).to.equal('ignored');
    expect((await paid('nobody’s', 'ch-nobody')).status).to.equal('unmatched');
    const { eventId } = await database('gateway_event').where({ status: 'unmatched' }).first('event_id');
    expect(await findCallback(database, { staffTenantId: 'shop', eventId })).to.include({ chargeId: 'ch-nobody' });
    expect(await findCallback(database, { staffTenantId: 'other', eventId })).to.equal(null);
  });
});
