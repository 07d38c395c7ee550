import { expect } from 'chai';
import { giveUpCharge } from '#db/orders/charges/ends.ts';
import { useOrders } from '#test/support/fixtures/orders.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { ok, triple } from '../support/shop.ts';

const withPoints = { grossMoneyAmount: 100, moneyAmount: 99, pointsPlan: { walletPoints: 4 } };

describe('a charge that the payer cancels at the gateway', function () {
  this.timeout(120_000);
  const shop = useOrders({ points: { wallet: 10_000 } });

  /** An order whose only charge nobody can pay any more. */
  async function abandoned() {
    const order = await shop.create('shop', withPoints);
    const { paymentUrl } = ok(await shop.payUntilKnown(order, 'shop')).data;
    const charge = shop.gateway.chargeOf(order.orderNo);
    charge.status = 'cancelled';
    return { order, charge, paymentUrl };
  }
  const heldOf = async ({ orderId }: { orderId: string }) =>
    (await shop.database('payment_attempt').where({ order_id: orderId }).orderBy('attempt')).map(
      ({ holdStatus }: { holdStatus: string }) => holdStatus,
    );

  it('is replaced by the next pay, which holds anew; money that comes for it nevertheless goes back', async () => {
    const { order, charge, paymentUrl } = await abandoned();
    const again = ok(await shop.payUntilKnown(order, 'shop')).data;
    expect(triple(again)).to.equal('20/10/10');
    expect(again.paymentUrl).to.be.a('string').and.not.equal(paymentUrl);
    expect(await heldOf(order)).to.deep.equal(['released', 'reserved']);
    await shop.gateway.payCharge(charge, { late: true });
    await eventually('it goes back', () => charge.status === ('refunded' as string));
    expect(triple(await shop.item(order, 'shop'))).to.equal('20/10/10');
    const second = [...shop.gateway.charges.values()].find(
      ({ orderNo, status }) => orderNo === order.orderNo && status === 'pending',
    );
    if (!second) throw new Error('there is no second charge');
    await shop.gateway.payCharge(second);
    await shop.until(order, 'shop', '30/30/30');
  });

  it('returns the order to where it was when the charge is read, without a pay', async () => {
    const { order } = await abandoned();
    await shop.until(order, 'shop', '0/0/0');
    expect(await heldOf(order)).to.deep.equal(['released']);
    expect(ok(await shop.cancel(order, 'shop')).data.orderStatus).to.equal(60);
  });

  it('ends the order where the payer wanted to cancel it, or its time is over: then it was cancelled by us', async () => {
    const { order } = await abandoned();
    const ref = { orderId: order.orderId, attempt: 1 };
    const later = new Date(Date.now() + 2 * 86_400_000);
    expect(triple(await giveUpCharge(shop.database, ref, later)), 'after its time').to.equal('20/10/10');
    await shop.database('payment_attempt').where({ order_id: order.orderId }).update({ cancel_requested: true });
    expect(triple(await giveUpCharge(shop.database, ref, new Date())), 'asked for').to.equal('20/10/10');
    ok(await shop.cancel(order, 'shop'));
    await shop.until(order, 'shop', '60/40/40');
  });
});
