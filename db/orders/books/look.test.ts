import { expect } from 'chai';
import { bookReceipt } from '#db/orders/books/cash.ts';
import { completePayment } from '#db/orders/charges/ends.ts';
import { findPayersOrder } from '#db/orders/orders.ts';
import { type Database, rows } from '#db/database.ts';
import { openedPayment, seedOrder, seedTenants } from '#test/orders/support/order-rows.ts';
import { statementsOf } from '#test/orders/support/statements.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { lookAgain, lookAtAll, lookAtChanged } from './look.ts';

/** More than two pages. */
const OLD = 2500;

/** Old accounts that have points and old orders that were paid, all of them right. */
async function seedOld(database: Database): Promise<void> {
  const old = { count: OLD };
  await rows(
    database,
    `insert into point_account (tenant_id, user_id, kind, granted, available)
     select 'shop', 'old-' || n, 'tenant', 5, 5 from generate_series(1, :count) n`,
    old,
  );
  await rows(
    database,
    `insert into ledger_entry (movement, bucket, amount, tenant_id, user_id, kind)
     select 'grant:' || n, b.bucket, b.amount, 'shop', 'old-' || n, 'tenant'
     from generate_series(1, :count) n cross join (values ('granted', -5), ('available', 5)) b (bucket, amount)`,
    old,
  );
  await rows(
    database,
    `insert into customer_order (order_id, order_no, tenant_id, user_id, currency, total_minor, gross_minor, points_tenant_id,
       tenant_points, district_points, wallet_points, coupon_ids, earn_limit_infos, lines, carrier_type,
       order_status, points_status, payment_status)
     select 'old-' || n, 'old-' || n, 'shop', 'old-' || n, 'TWD', 700, 700, 'shop', 0, 0, 0, '{}', '[]', '[]', '3J0002', 30, 30, 30
     from generate_series(1, :count) n`,
    old,
  );
  await rows(
    database,
    `insert into payment_attempt (order_id, attempt, hold_status, expires_at, received_minor, received_currency, received_at)
     select 'old-' || n, 1, 'committed', now(), 700, 'TWD', now() from generate_series(1, :count) n`,
    old,
  );
  await rows(
    database,
    `insert into cash_entry (movement, account, amount_minor, currency, tenant_id, order_id)
     select 'receipt:old-' || n || ':1', b.account, b.amount, 'TWD', 'shop', 'old-' || n
     from generate_series(1, :count) n cross join (values ('gateway', 700), ('sales', -700)) b (account, amount)`,
    old,
  );
}

describe('a look at the books', () => {
  const database = useDatabase('orders');
  const forEver = () => Date.now() + 60_000;
  const drifting = async () =>
    (await rows<{ subject: object }>(database, 'select subject from ledger_drift order by subject', {})).map(
      ({ subject }) => subject,
    );
  /** Until nothing is left to do. @returns how much was compared */
  const lookAtNew = async () => {
    const { done, ...looked } = await lookAtChanged(database, forEver());
    expect(done).to.equal(true);
    return looked;
  };
  const lookAtEverything = async () => {
    await rows(database, 'update ledger_look set all_began_at = null', {});
    return lookAtAll(database, forEver());
  };
  const paid = async (orderId: string, more: { tenantPoints?: number } = {}) => {
    await seedOrder(database, orderId, more);
    await openedPayment(database, orderId, { chargeId: `ch-${orderId}` });
    await completePayment(database, { orderId, attempt: 1 }, 'gateway');
  };

  before(async () => {
    await seedTenants(database);
    await seedOld(database);
    await rows(
      database,
      `insert into point_account (tenant_id, user_id, kind, granted, available) values ('shop', 'payer', 'tenant', 100, 100)`,
      {},
    );
    await rows(
      database,
      `insert into ledger_entry (movement, bucket, amount, tenant_id, user_id, kind)
       values ('grant:payer', 'granted', -100, 'shop', 'payer', 'tenant'),
         ('grant:payer', 'available', 100, 'shop', 'payer', 'tenant')`,
      {},
    );
    await lookAtNew();
  });

  it('compares what was written since the last one, however much there is besides', async () => {
    await paid('plain');
    await paid('with-points', { tenantPoints: 3 });
    const statements = await statementsOf(database, async () => {
      expect(await lookAtNew()).to.deep.equal({ accounts: 1, orders: 2 });
    });
    expect(statements.length, statements.join('\n')).to.be.at.most(7);
    expect(await lookAtNew()).to.deep.equal({ accounts: 0, orders: 0 });
    expect(await drifting()).to.deep.equal([]);
  });

  it('goes on where it stopped', async () => {
    await paid('stopped');
    expect(await lookAtChanged(database, 0)).to.deep.equal({ accounts: 0, orders: 0, done: false });
    expect(await lookAtNew()).to.deep.equal({ accounts: 0, orders: 1 });
  });

  it('waits for a transaction that commits late, and misses nothing of it', async () => {
    await seedOrder(database, 'late');
    await openedPayment(database, 'late', { chargeId: 'ch-late' });
    await lookAtNew();
    const order = await findPayersOrder(database, { tenantId: 'shop', userId: 'payer', orderId: 'late' });
    if (!order) throw new Error('there is no such order');
    const slow = await database.transaction();
    await bookReceipt(slow, order, null);
    // Its entries come after, and are committed before.
    await paid('quick');
    let ended = false;
    const looking = lookAtNew().finally(() => (ended = true));
    await paid('meanwhile');
    expect(ended, 'it looks before the late one has ended').to.equal(false);
    await slow.commit();
    expect((await looking).orders).to.be.at.least(2);
    // The receipt is there, and the order was never completed.
    expect(await drifting()).to.deep.equal([{ orderId: 'late' }]);
    await completePayment(database, { orderId: 'late', attempt: 1 }, 'gateway');
    await lookAgain(database, null);
    expect(await drifting()).to.deep.equal([]);
  });

  it('finds an order that moved without its entries, and points without theirs', async () => {
    await seedOrder(database, 'unbooked', { tenantPoints: 2 });
    await rows(database, `update customer_order set order_status = 30 where order_id = 'unbooked'`, {});
    await rows(
      database,
      `insert into payment_attempt (order_id, attempt, hold_status, expires_at) values ('unbooked', 1, 'committed', now())`,
      {},
    );
    const points = (by: number) =>
      rows(
        database,
        `update point_account set available = available + :by, granted = granted + :by where user_id = 'payer'`,
        {
          by,
        },
      );
    await points(1);
    await lookAtNew();
    const account = { kind: 'tenant', userId: 'payer', tenantId: 'shop' };
    expect(await drifting()).to.have.deep.members([{ orderId: 'unbooked' }, account]);
    await lookAgain(database, null);
    expect(await drifting()).to.have.length(2);
    await points(-1);
    await rows(database, `delete from payment_attempt where order_id = 'unbooked'`, {});
    await lookAgain(database, null);
    expect(await drifting()).to.deep.equal([]);
  });

  it('finds what differs in old rows by the look at everything, once a week', async () => {
    await lookAtEverything();
    const change = (by: number) =>
      rows(database, `update payment_attempt set received_minor = received_minor + :by where order_id = 'old-1234'`, {
        by,
      });
    await change(1);
    await lookAtNew();
    expect(await lookAtAll(database, forEver()), 'not due').to.deep.equal({ accounts: 0, orders: 0 });
    expect(await drifting()).to.deep.equal([]);
    await rows(
      database,
      `update ledger_look set all_began_at = now() - interval '7 days', all_completed_at = now() - interval '6 days'`,
      {},
    );
    const { accounts, orders } = await lookAtAll(database, forEver());
    expect([accounts, orders].every((count) => count > OLD)).to.equal(true);
    expect(await drifting()).to.deep.equal([{ orderId: 'old-1234' }]);
    await change(-1);
    await lookAgain(database, null);
    expect(await drifting()).to.deep.equal([]);
  });

  it('takes as many parts as the look at everything needs', async () => {
    const everything = await lookAtEverything();
    await rows(database, 'update ledger_look set all_began_at = null', {});
    const total = { accounts: 0, orders: 0 };
    const completed = () => rows(database, 'select all_completed_at from ledger_look', {});
    const before = await completed();
    let parts = 0;
    for (; parts < 100; parts += 1) {
      // The time is up after one page.
      const page = await lookAtAll(database, Date.now() + 1);
      total.accounts += page.accounts;
      total.orders += page.orders;
      if (JSON.stringify(await completed()) !== JSON.stringify(before)) break;
    }
    expect(parts).to.be.greaterThan(1);
    expect(total).to.deep.equal(everything);
  });
});
