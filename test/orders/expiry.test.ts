import { expect } from 'chai';
import { firstRow } from '#db/database.ts';
import { eventually } from '../support/time/eventually.ts';
import type { PayReply } from './support/orders-service.ts';
import { payWithin, triple } from './support/shop.ts';
import { useOrders } from '../support/fixtures/orders.ts';

const ORDERS = 40;
const TTL_MS = 6000;
/** At once; more would only compete for the machine. */
const LANES = 40;

describe('Paying around the expiry', () => {
  const shop = useOrders({ points: { wallet: 4 * ORDERS }, maxOpenHolds: ORDERS });

  /**
   * Pays at -50 to +50 ms of the expiry; every second payer's money arrives even if the charge was cancelled before.
   * One in twenty pays at once, and one after the end, so that both outcomes occur on a slow machine, too.
   */
  async function payAround(order: PayReply['data'] | undefined, index: number): Promise<void> {
    if (!order) throw new Error('no such order');
    const { orderId, orderNo } = order;
    // On a busy machine the time may be up before there is a charge.
    if ((await payWithin(TTL_MS, order, shop.launcher)).code !== 1000) return;
    const attempt = await firstRow<{ expiresAt: Date }>(
      shop.database,
      'select expires_at from payment_attempt where order_id = :orderId',
      { orderId },
    );
    const at = (attempt?.expiresAt.getTime() ?? 0) + Math.round((index * 100) / ORDERS) - 50;
    if (index % 20 === 0) await shop.until(order, 'shop', '50/40/40');
    else if (index % 20 !== 1) await new Promise((resolve) => setTimeout(resolve, at - Date.now()));
    await shop.gateway.pay(orderNo, { late: index % 2 === 0 });
  }

  it(`${ORDERS} times within 50 ms of it: completed, or timed out with the money refunded; never both, never neither`, async function () {
    this.timeout(300_000);
    const orders = await Promise.all(
      Array.from({ length: ORDERS }, () =>
        shop.create('shop', { grossMoneyAmount: 10, moneyAmount: 9, pointsPlan: { walletPoints: 4 } }),
      ),
    );
    await Promise.all(
      Array.from({ length: LANES }, async (_, lane) => {
        for (let index = lane; index < ORDERS; index += LANES) await payAround(orders[index], index);
      }),
    );
    const ended = new Map<string, number>();
    await eventually(
      'every order has ended',
      async () => {
        ended.clear();
        for (const order of orders) {
          const item = await shop.item(order, 'shop');
          const charge = [...shop.gateway.charges.values()].find(({ orderNo }) => orderNo === order.orderNo);
          const end = `${triple(item)} ${charge?.status ?? 'not charged'}`;
          ended.set(end, (ended.get(end) ?? 0) + 1);
        }
        return [...ended.keys()].every((end) =>
          ['30/30/30 paid', '50/40/60 refunded', '50/40/40 cancelled', '50/40/40 not charged'].includes(end),
        );
      },
      { timeoutMs: 60_000, intervalMs: 1000 },
    ).catch((error: unknown) => {
      throw new Error(`ends: ${JSON.stringify([...ended])}`, { cause: error });
    });
    const { wallet } = await shop.points('shop');
    const completed = ended.get('30/30/30 paid') ?? 0;
    expect(wallet).to.deep.equal({ available: 4 * (ORDERS - completed), reserved: 0, committed: 4 * completed });
    expect(completed, 'both ends are there').to.be.within(1, ORDERS - 1);
    await shop.expectBalanced();
  });
});
