import { expect } from 'chai';
import { payOrderWorkflowId } from '#workflows/contracts/orders/pay-order.ts';
import { useOrders } from '../support/fixtures/orders.ts';
import { ok } from './support/shop.ts';
import { statementsOf } from './support/statements.ts';

const cash = { grossMoneyAmount: 10, moneyAmount: 9, pointsPlan: { walletPoints: 4 } };

/** A machine that stands still for a moment makes one payment dearer, not each of them. */
const ORDERS = 3;

const fewest = (costs: string[][]): string[] => costs.toSorted((one, other) => one.length - other.length)[0] ?? [];

const transactions = (statements: string[]) => statements.filter((sql) => /^begin/i.test(sql));

describe('What a payment with cash costs PostgreSQL', () => {
  const shop = useOrders({ points: { wallet: 1000 } });

  it('at most 7 statements until the link is there, in one transaction; 25 more in two until it is DONE', async () => {
    const linked: string[][] = [];
    const done: string[][] = [];
    for (let number = 0; number < ORDERS; number += 1) {
      const order = await shop.create('shop', cash);
      linked.push(await statementsOf(shop.database, async () => ok(await shop.payUntilKnown(order, 'shop'))));
      const run = shop.client.workflow.getHandle(payOrderWorkflowId(order.orderId));
      done.push(
        await statementsOf(shop.database, async () => {
          await shop.gateway.pay(order.orderNo);
          await run.result();
        }),
      );
    }
    const [link, end] = [fewest(linked), fewest(done)];
    expect(link, link.join('\n')).to.have.length.of.at.most(7);
    expect(transactions(link)).to.have.length.of.at.most(1);
    expect(end, end.join('\n')).to.have.length.of.at.most(25);
    expect(transactions(end)).to.have.length.of.at.most(2);
  });
});
