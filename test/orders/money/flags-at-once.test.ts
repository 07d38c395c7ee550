import { expect } from 'chai';
import type { Transaction } from '#db/database.ts';
import { firstRow } from '#db/database.ts';
import { decideFlags, raiseFlags, raiseFlagsOn } from '#db/orders/events/flags.ts';
import { lockOrder } from '#db/orders/payments.ts';
import { useOrders } from '#test/support/fixtures/orders.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { ok, staff } from '../support/shop.ts';

describe('Flags of an order that two transactions change at once', () => {
  const shop = useOrders({ worker: false });
  const flag = (code: 'amount_mismatch' | 'shop_mismatch') => ({ code, expected: 'one', reported: 'another' });
  const decision = (orderId: string) => ({ orderId, outcome: 'complete' as const, by: { userId: 's-1', name: 's-1' } });

  before(async () => {
    const webhook = { url: 'http://127.0.0.1:9/hook' };
    ok(await shop.request('PUT', '/admin/tenants/shop/webhook', webhook, staff('shop')));
  });

  const newOrder = () => shop.create('shop', { grossMoneyAmount: 10, moneyAmount: 10 });

  /** Begins `second` while `first` has the order locked, and lets it go on once `first` is committed. */
  async function oneAfterTheOther<Result>(
    first: (transaction: Transaction) => Promise<void>,
    second: () => Promise<Result>,
  ): Promise<Result> {
    const transaction = await shop.database.transaction();
    try {
      await first(transaction);
      const own = await firstRow<{ pid: number }>(transaction, 'select pg_backend_pid() as pid', {});
      const waiting = second();
      waiting.catch(() => undefined);
      await eventually('the second waits for the first', async () => {
        const waits = 'select 1 from pg_stat_activity where :pid = any(pg_blocking_pids(pid)) limit 1';
        return (await firstRow(shop.database, waits, { pid: own?.pid })) !== null;
      });
      await transaction.commit();
      return await waiting;
    } finally {
      if (!transaction.isCompleted()) await transaction.rollback();
    }
  }

  it('B14: an order that gets two flags at once is reported as flagged once', async () => {
    const { orderId } = await newOrder();
    await oneAfterTheOther(
      (transaction) => raiseFlagsOn(transaction, orderId, [flag('amount_mismatch')]),
      () => raiseFlags(shop.database, orderId, [flag('shop_mismatch')]),
    );
    const flags = await shop.database('order_flag').where({ order_id: orderId });
    expect(flags).to.have.length(2);
    const reported = await shop.database('merchant_event').where({ order_id: orderId, type: 'order.flagged' });
    expect(reported).to.have.length(1);
  });

  it('B6: a decision that waited until the flags were resolved is rejected, and not recorded', async () => {
    const { orderId } = await newOrder();
    await raiseFlags(shop.database, orderId, [flag('amount_mismatch')]);
    let recorded = 0;
    const decided = await oneAfterTheOther(
      async (transaction) => {
        await lockOrder(transaction, orderId);
        await transaction('order_flag').where({ order_id: orderId }).update({ resolved_at: new Date() });
      },
      () =>
        decideFlags(shop.database, decision(orderId), async () => {
          recorded += 1;
        }),
    );
    expect({ decided, recorded }).to.deep.equal({ decided: 'rejected', recorded: 0 });
  });

  it('B6: a decision that waited until the flag was raised is made', async () => {
    const { orderId } = await newOrder();
    const decided = await oneAfterTheOther(
      (transaction) => raiseFlagsOn(transaction, orderId, [flag('amount_mismatch')]),
      () => decideFlags(shop.database, decision(orderId), async () => {}),
    );
    expect(decided).to.equal('decided');
  });
});
