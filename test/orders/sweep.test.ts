import { expect } from 'chai';
import { payOrderWorkflowId } from '../../workflows/contracts/pay-order.ts';
import { firstAttempt, ok, type OpenShop, openShop, triple } from './support/shop.ts';

/** A restore needs PostgreSQL only: the workflows are gone, the rows are there. */
describe('Payments whose workflow is gone', () => {
  let shop: OpenShop;
  const cash = { grossMoneyAmount: 10, moneyAmount: 9, pointsPlan: { walletPoints: 4 } };
  /** As seen an hour from now. */
  const sweep = () => shop.activities.driveOrders({ now: new Date(Date.now() + 3_600_000).toISOString() });

  before(async function () {
    this.timeout(120_000);
    shop = await openShop({ points: { wallet: 1000 } });
  });
  after(() => shop.close());

  async function orphan() {
    const order = await shop.create('shop', cash);
    ok(await shop.pay(order, 'shop'));
    await shop.client.workflow.getHandle(payOrderWorkflowId(order.orderId)).terminate('lost in a restore');
    return order;
  }

  it('a recorded callback completes the order all the same', async () => {
    const order = await orphan();
    await shop.gateway.pay(order.orderNo);
    await shop.until(order, 'shop', '30/30/30');
  });

  it('a callback whose signal was lost is carried on by the sweep', async () => {
    const order = await orphan();
    const charge = shop.gateway.chargeOf(order.orderNo);
    charge.status = 'paid';
    const { drivePayment } = shop.launcher;
    shop.launcher.drivePayment = () => Promise.reject(new Error('the process died here'));
    await shop.gateway.callback(charge);
    shop.launcher.drivePayment = drivePayment;
    expect(triple(await shop.item(order, 'shop'))).to.equal('20/10/10');
    expect((await sweep()).orders).to.be.at.least(1);
    await shop.until(order, 'shop', '30/30/30');
  });

  it('an expiry that nobody waited for is carried out, the charge cancelled first', async function () {
    this.timeout(30_000);
    const order = await shop.create('shop', cash);
    await shop.launcher.pay(firstAttempt(order, 1500));
    await shop.client.workflow.getHandle(payOrderWorkflowId(order.orderId)).terminate('lost in a restore');
    await sweep();
    await shop.until(order, 'shop', '50/40/40');
    expect(shop.gateway.chargeOf(order.orderNo).status).to.equal('cancelled');
  });

  it('a cancel starts the payment again from its rows to end it', async () => {
    const order = await orphan();
    expect(triple(ok(await shop.cancel(order, 'shop')).data)).to.equal('60/40/40');
  });

  it('a pay answers from the row, without a workflow', async () => {
    const order = await orphan();
    const again = ok(await shop.pay(order, 'shop'));
    expect(again.data.paymentUrl).to.contain('http://pay.test/');
    ok(await shop.cancel(order, 'shop'));
  });
});
