import { useOrders } from '../support/fixtures/orders.ts';
import { eventually } from '../support/time/eventually.ts';
import { ok } from './support/shop.ts';

describe('A send of the charge that another one has overtaken', function () {
  this.timeout(180_000);
  const shop = useOrders();

  it('B5: which never arrived is repeated, rather than leaving a payment without a charge', async () => {
    let overtake = (): void => {};
    const overtaken = new Promise<void>((resolve) => (overtake = resolve));
    shop.gateway.state.fault = ({ operation }, count) =>
      operation === 'create' && count === 1 ? { holdUntil: overtaken, response: [404, {}] } : undefined;
    const order = await shop.create('shop', { grossMoneyAmount: 10, moneyAmount: 10 });
    const paying = shop.pay(order, 'shop');
    await eventually('it is sent', () => shop.gateway.of('create').length === 1);
    // One that was taken for dead before it began has counted itself since, and then ended without an outcome.
    await shop.database('payment_attempt').where({ order_id: order.orderId }).update({ charge_sends: 2 });
    overtake();
    ok(await paying);
    ok(await shop.cancel(order, 'shop'));
    await shop.until(order, 'shop', '60/0/40');
  });
});
