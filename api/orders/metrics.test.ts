import { expect } from 'chai';
import { eventually } from '#test/support/time/eventually.ts';
import { readMetrics } from '#test/support/http/metrics.ts';
import { ok } from '#test/orders/support/shop.ts';
import { useOrders } from '#test/support/fixtures/orders.ts';

const cash = { grossMoneyAmount: 100, moneyAmount: 100 };

describe('metrics of the order service', () => {
  const shop = useOrders({ points: { wallet: 100 } });

  const sample = async (name: string) => (await readMetrics(shop.metricsAddress)).get(name);

  it('show open holds, pays by code, pending refunds and their attempts, and orders that wait for staff', async () => {
    const order = await shop.create('shop', { ...cash, moneyAmount: 99, pointsPlan: { walletPoints: 4 } });
    ok(await shop.pay(order, 'shop'));
    const poor = await shop.create('shop', { ...cash, moneyAmount: 1, pointsPlan: { walletPoints: 396 } });
    expect((await shop.pay(poor, 'shop')).code).to.equal(90300);
    expect(await sample('orders_holds_open')).to.equal(1);
    expect(await sample('orders_pays_total{code="1000"}')).to.equal(1);
    expect(await sample('orders_pays_total{code="90300"}')).to.equal(1);

    const charge = shop.gateway.chargeOf(order.orderNo);
    charge.status = 'paid';
    await shop.gateway.callback(charge, { currency: 'USD' });
    await eventually('it waits for staff', async () => (await sample('orders_flagged')) === 1);
    let failures = 2;
    shop.gateway.state.fault = (call) => {
      if (call.operation !== 'refund' || failures === 0) return undefined;
      failures -= 1;
      return { response: [503, {}] };
    };
    ok(await shop.resolve(order, 'shop', 'refund'));
    await shop.until(order, 'shop', '40/40/60');
    expect(await sample('orders_refund_attempts_total{result="failed"}')).to.equal(2);
    await eventually(
      'the confirmation is counted',
      async () => (await sample('orders_refund_attempts_total{result="confirmed"}')) === 1,
    );
    for (const gauge of ['orders_holds_open', 'orders_flagged', 'orders_refunds_pending'])
      expect(await sample(gauge), gauge).to.equal(0);
  });

  it('show what the sweep resumed', async () => {
    const order = await shop.create('shop', cash);
    ok(await shop.pay(order, 'shop'));
    await shop
      .database('customer_order')
      .where({ order_id: order.orderId })
      .update({ updated_at: new Date(Date.now() - 60_000) });
    await shop.database('payment_attempt').where({ order_id: order.orderId }).update({ cancel_requested: true });
    await shop.client.workflow.execute('sweepOrders', { taskQueue: 'orders', workflowId: 'sweep', args: [] });
    expect(await sample('sweep_actions_total{kind="orders"}')).to.be.at.least(1);
  });
});
