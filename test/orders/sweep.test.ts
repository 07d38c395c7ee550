import { expect } from 'chai';
import { createSweepActivities } from '#activities/orders/sweep-orders.ts';
import { payOrderWorkflowId } from '#workflows/contracts/orders/pay-order.ts';
import { eventually } from '../support/time/eventually.ts';
import { ok, triple } from './support/shop.ts';
import { useOrders } from '../support/fixtures/orders.ts';

/** More than are read at once. */
const ENDED = 130;

/** Only PostgreSQL is restored: the workflows are gone, the rows are there. */
describe('Payments whose workflow is gone', () => {
  const shop = useOrders({ points: { wallet: 1000 } });
  const cash = { grossMoneyAmount: 10, moneyAmount: 9, pointsPlan: { walletPoints: 4 } };
  /** As seen an hour from now. */
  const sweep = () => shop.activities.driveOrders({ now: new Date(Date.now() + 3_600_000).toISOString() });

  beforeEach(() => {
    shop.gateway.state.fault = () => undefined;
  });

  async function orphan() {
    const order = await shop.create('shop', cash);
    ok(await shop.payUntilKnown(order, 'shop'));
    await shop.client.workflow.getHandle(payOrderWorkflowId(order.orderId)).terminate('lost in a restore');
    return order;
  }

  /** The charge is paid, and the process that would carry on the recorded callback dies after it responded. */
  async function payUnheard({ orderNo }: { orderNo: string }): Promise<void> {
    const charge = shop.gateway.chargeOf(orderNo);
    charge.status = 'paid';
    const { drivePayment } = shop.launcher;
    let died = false;
    shop.launcher.drivePayment = () => {
      died = true;
      return Promise.reject(new Error('the process died here'));
    };
    try {
      await shop.gateway.callback(charge);
      await eventually('the signal is lost', () => died);
    } finally {
      shop.launcher.drivePayment = drivePayment;
    }
  }

  it('a recorded callback still completes the order', async () => {
    const order = await orphan();
    await shop.gateway.pay(order.orderNo);
    await shop.until(order, 'shop', '30/30/30');
  });

  it('a callback whose signal was lost is carried on by the sweep', async () => {
    const order = await orphan();
    await payUnheard(order);
    expect(triple(await shop.item(order, 'shop'))).to.equal('20/10/10');
    expect((await sweep()).orders).to.be.at.least(1);
    await shop.until(order, 'shop', '30/30/30');
  });

  it('a callback whose signal was lost wakes the run that waits for it', async () => {
    const order = await shop.create('shop', cash);
    ok(await shop.payUntilKnown(order, 'shop'));
    await payUnheard(order);
    await sweep();
    await shop.until(order, 'shop', '30/30/30');
  });

  it('a run that is busy with the gateway gets no signal from the sweep, however long that takes', async () => {
    shop.gateway.state.fault = ({ operation }) => (operation === 'create' ? 'lost' : undefined);
    const order = await shop.create('shop', cash);
    const paying = shop.pay(order, 'shop');
    await eventually('the charge is sent', () =>
      shop.gateway.of('create').some(({ body }) => body['orderNo'] === order.orderNo),
    );
    for (let round = 0; round < 5; round += 1) expect((await sweep()).orders).to.equal(0);
    const { events } = await shop.client.workflow.getHandle(payOrderWorkflowId(order.orderId)).fetchHistory();
    expect(events?.filter((event) => event.workflowExecutionSignaledEventAttributes)).to.deep.equal([]);
    shop.gateway.state.fault = () => undefined;
    // As a payer does who was told to retry.
    await paying;
    ok(await shop.payUntilKnown(order, 'shop'));
    ok(await shop.cancel(order, 'shop'));
  });

  it('one that cannot be driven does not block other orders or refunds', async () => {
    const orphans = [await orphan(), await orphan(), await orphan()];
    const [stuck] = orphans;
    await shop.database('payment_attempt').update({ cancel_requested: true });
    const driven = new Set<string>();
    const { driveOrders } = createSweepActivities({
      database: shop.database,
      gateway: shop.paymentGateway,
      resumePayment: async ({ orderId }) => {
        if (orderId === stuck?.orderId) throw new Error('it will not start');
        driven.add(orderId);
        return true;
      },
      startRefund: shop.launcher.startRefund,
      startReport: shop.launcher.startReport,
    });
    const failure = await driveOrders({ now: new Date(Date.now() + 3_600_000).toISOString() }).catch(
      (error: Error) => error.message,
    );
    expect(failure).to.equal('it will not start');
    expect([...driven].toSorted()).to.include.members(orphans.slice(1).map(({ orderId }) => orderId));
    for (const order of orphans) ok(await shop.cancel(order, 'shop'));
  });

  it('B3: all charges that are due are read in one round, however many payments ended together', async () => {
    const ended = await shop.create('shop', cash);
    ok(await shop.payUntilKnown(ended, 'shop'));
    ok(await shop.cancel(ended, 'shop'));
    const copies = `cross join generate_series(1, ${ENDED}) n where order_id = ?`;
    await shop.database.raw(
      `insert into customer_order select (jsonb_populate_record(o, jsonb_build_object(
         'order_id', 'ended-' || n, 'order_no', 'ended-' || n))).* from customer_order o ${copies}`,
      [ended.orderId],
    );
    await shop.database.raw(
      `insert into payment_attempt select (jsonb_populate_record(a, jsonb_build_object(
         'order_id', 'ended-' || n, 'charge_id', 'ch-' || n, 'next_read_at', now() - interval '1 hour'))).*
       from payment_attempt a ${copies}`,
      [ended.orderId],
    );
    const read = new Set<string>();
    const { driveOrders } = createSweepActivities({
      database: shop.database,
      gateway: {
        ...shop.paymentGateway,
        readCharge: async (chargeId) => {
          read.add(chargeId);
          return {
            ...shop.gateway.chargeOf(ended.orderNo),
            chargeId,
            status: 'cancelled',
            paidAt: null,
            disputedAmount: null,
          };
        },
      },
      ...shop.launcher,
    });
    const { reads } = await driveOrders({ now: new Date().toISOString() });
    expect([reads, read.size]).to.deep.equal([ENDED, ENDED]);
    // The gateway knows none of them; later rounds leave them alone.
    await shop.database('payment_attempt').whereLike('order_id', 'ended-%').update({ next_read_at: null });
  });

  it('a run whose order was lost in a restore fails and says so', async () => {
    await shop.launcher.drivePayment({ orderId: 'lost', tenantId: 'shop', attempt: 1 });
    const handle = shop.client.workflow.getHandle(payOrderWorkflowId('lost'));
    await eventually('it has failed', async () => (await handle.describe()).status.name === 'FAILED');
    const failure = await handle.result().catch((error: { cause?: { cause?: Error } }) => error.cause?.cause?.message);
    expect(failure).to.equal('order lost no longer exists');
  });

  it('an expiry that nobody waited for is carried out, the charge cancelled first', async () => {
    const order = await orphan();
    await shop.database('payment_attempt').where({ order_id: order.orderId }).update({ expires_at: new Date() });
    await sweep();
    await shop.until(order, 'shop', '50/40/40');
    expect(shop.gateway.chargeOf(order.orderNo).status).to.equal('cancelled');
  });

  it('a cancel starts the payment again from its rows to end it', async () => {
    const order = await orphan();
    expect(triple(ok(await shop.cancel(order, 'shop')).data)).to.equal('60/40/40');
  });

  it('pay responds from the row, without a workflow', async () => {
    const order = await orphan();
    const again = ok(await shop.payUntilKnown(order, 'shop'));
    expect(again.data.paymentUrl).to.contain('http://pay.test/');
    ok(await shop.cancel(order, 'shop'));
  });
});
