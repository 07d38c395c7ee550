import { expect } from 'chai';
import { openedPayment, seedOrder, seedTenants } from '#test/orders/support/order-rows.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { endPayment } from './ends.ts';
import { beginChargeSend, recordCharge } from './sends.ts';

describe('the charge of a payment', () => {
  const database = useDatabase('orders');
  before(() => seedTenants(database));

  async function opened(orderId: string) {
    await seedOrder(database, orderId);
    await openedPayment(database, orderId);
    return { orderId, attempt: 1 };
  }
  const charge = (chargeId: string) => ({ chargeId, paymentUrl: `http://gateway.example/${chargeId}` });
  const attemptOf = (orderId: string) =>
    database('payment_attempt').where({ order_id: orderId }).first('charge_id', 'charge_sends');

  it('is sent, and counted, until the gateway has it', async () => {
    const ref = await opened('sent');
    expect(await beginChargeSend(database, ref)).to.include({ orderNo: 'no-sent', amount: 10, sends: 1 });
    expect(await beginChargeSend(database, ref)).to.include({ sends: 2 });
    await recordCharge(database, ref, charge('ch-1'));
    expect(await beginChargeSend(database, ref)).to.equal(null);
    expect(await attemptOf('sent')).to.deep.equal({ chargeId: 'ch-1', chargeSends: 2 });
  });

  it('is not sent once the payment has ended', async () => {
    const ref = await opened('ended');
    await endPayment(database, ref, 'cancelled', { sends: 0 });
    expect(await beginChargeSend(database, ref)).to.equal(null);
    expect(await attemptOf('ended')).to.deep.equal({ chargeId: null, chargeSends: 0 });
  });

  it('is the first that the gateway responded with', async () => {
    const ref = await opened('first');
    await recordCharge(database, ref, charge('ch-first'));
    const state = await recordCharge(database, ref, charge('ch-second'));
    expect(state).to.include({ chargeId: 'ch-first', paymentUrl: 'http://gateway.example/ch-first' });
  });
});
