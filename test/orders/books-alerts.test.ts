import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { useOrders } from '../support/fixtures/orders.ts';
import { rehearse } from '../support/alerts/rehearsal.ts';
import { readMetrics } from '../support/http/metrics.ts';
import { withLock } from '#db/provision.ts';
import { ok, staff } from './support/shop.ts';
import { eventually } from '../support/time/eventually.ts';

describe('the alerts of the books', () => {
  const shop = useOrders({ tenants: { shop: {}, other: {} }, points: { tenant: 10, wallet: 8 } });
  const alerts = rehearse('orders', () => shop.metricsAddress);
  const sample = async (name: string) => (await readMetrics(shop.metricsAddress)).get(name);
  const check = () =>
    shop.client.workflow.execute<() => Promise<{ accounts: number; drift: number }>>('checkLedger', {
      taskQueue: 'orders',
      workflowId: randomUUID(),
      args: [],
    });
  const asOwner = (statement: string) => withLock(shop.ownerUrl, (client) => client.query(statement));
  /** As if a week had passed. */
  const checkAll = async () => {
    await asOwner('update orders.ledger_look set all_began_at = null');
    return check();
  };

  it('B13: balances that are not the sums of their entries show as orders_ledger_drift', async () => {
    await shop.pay(await shop.create('shop', { pointsPlan: { tenantPoints: 3 } }), 'shop');
    expect(await check()).to.include({ drift: 0 });
    expect(await check(), 'nothing was written since').to.deep.equal({ accounts: 0, drift: 0 });
    expect(await sample('orders_ledger_drift')).to.equal(0);
    await alerts.scrape('LedgerDrift');
    const change = (by: number) =>
      asOwner(`update orders.point_account set granted = granted + ${by}, available = available + ${by}
        where kind = 'wallet'`);
    await change(5);
    expect(await check(), 'nothing says that it changed').to.include({ drift: 0 });
    expect(await checkAll()).to.include({ drift: 1 });
    expect(await check(), 'what did not fit is looked at again').to.deep.equal({ accounts: 1, drift: 1 });
    expect(await sample('orders_ledger_drift')).to.equal(1);
    await alerts.scrape('LedgerDrift');
    const stored = await shop.database('ledger_check').orderBy('checkedAt', 'desc').first();
    expect(stored.details).to.deep.equal([
      {
        tenantId: 'shop',
        userId: 'u-1',
        kind: 'wallet',
        balances: { granted: 13, available: 13, reserved: 0, committed: 0 },
        entries: { granted: 8, available: 8, reserved: 0, committed: 0 },
      },
    ]);
    await change(-5);
    await check();
    expect(await sample('orders_ledger_drift')).to.equal(0);
    await alerts.scrape('LedgerDrift');
  });

  it('B13: entries without their balance show as drift, too', async () => {
    await shop.database('ledger_entry').insert(
      [
        ['available', -1],
        ['reserved', 1],
      ].map(([bucket, amount]) => ({
        movement: 'lost',
        bucket,
        amount,
        tenant_id: 'shop',
        user_id: 'u-1',
        kind: 'tenant',
      })),
    );
    expect(await check()).to.include({ drift: 1 });
    await asOwner(`delete from orders.ledger_entry where movement = 'lost'`);
    expect(await check()).to.include({ drift: 0 });
  });

  it('B13: cash entries that do not fit their orders show as drift', async () => {
    const buy = async () => {
      const order = await shop.create('shop', { grossMoneyAmount: 100, moneyAmount: 100 });
      ok(await shop.payUntilKnown(order, 'shop'));
      await shop.gateway.pay(order.orderNo);
      await shop.until(order, 'shop', '30/30/30');
      return order;
    };
    const orders = [await buy(), await buy(), await buy()];
    const [kept, refunded, tampered] = orders;
    const body = { amount: 40, reason: 'broken', key: 'k' };
    ok(await shop.post(`/admin/orders/${refunded?.orderId}/refund`, body, staff('shop')));
    await shop.until({ orderId: refunded?.orderId ?? '' }, 'shop', '30/30/70');
    const pending = await shop.create('shop', { grossMoneyAmount: 7, moneyAmount: 7 });
    ok(await shop.payUntilKnown(pending, 'shop'));
    expect(await check()).to.include({ drift: 0 });

    const tamper = (by: number, account: string, orderId: string | undefined) =>
      asOwner(`update orders.cash_entry set amount_minor = amount_minor + ${by}
        where account = '${account}' and order_id = '${orderId}' and movement like 'receipt:%'`);
    await tamper(-500, 'gateway', tampered?.orderId);
    await tamper(5, 'receivable', kept?.orderId);
    await tamper(-5, 'gateway', kept?.orderId);
    expect(await checkAll()).to.include({ drift: 2 });
    expect(await sample('orders_ledger_drift')).to.equal(2);
    const { details } = await shop.database('ledger_check').orderBy('checkedAt', 'desc').first();
    expect(details).to.deep.include({
      tenantId: 'shop',
      orderId: tampered?.orderId,
      balances: { receivable: 0, gateway: 9500, refunds: 0, disputed: 0, sum: -500 },
      expected: { receivable: 0, gateway: 10_000, refunds: 0, disputed: 0, sum: 0 },
    });
    await tamper(500, 'gateway', tampered?.orderId);
    await tamper(-5, 'receivable', kept?.orderId);
    await tamper(5, 'gateway', kept?.orderId);
    expect(await check()).to.include({ drift: 0 });

    await asOwner(
      `create table orders.kept_entries as select * from orders.cash_entry where order_id = '${kept?.orderId}'`,
    );
    await asOwner(`delete from orders.cash_entry where order_id = '${kept?.orderId}'`);
    expect(await checkAll()).to.include({ drift: 1 });
    await asOwner(`insert into orders.cash_entry overriding system value select * from orders.kept_entries`);
    await asOwner('drop table orders.kept_entries');
    expect(await check()).to.include({ drift: 0 });
    ok(await shop.cancel(pending, 'shop'));
    expect(await check()).to.include({ drift: 0 });
  });

  it('B13: balances are checked every hour, and the time since the last check shows', async () => {
    await shop.launcher.ensureSchedules();
    const { spec } = await shop.client.schedule.getHandle('check-ledger').describe();
    expect(spec.intervals?.map(({ every }) => every)).to.deep.equal([3_600_000]);
    await check();
    await alerts.scrape('LedgerUnchecked');
    await asOwner(`update orders.ledger_check set checked_at = checked_at - interval '3 hours'`);
    expect(await sample('orders_ledger_check_age_seconds')).to.be.within(3 * 3600, 4 * 3600);
    await alerts.scrape('LedgerUnchecked');
    await check();
    expect(await sample('orders_ledger_check_age_seconds')).to.be.below(3600);
    await alerts.scrape('LedgerUnchecked');
    for (const age of ['15 days', '0 days', '0 days']) {
      await alerts.scrape('LedgerNotCheckedWhole');
      await asOwner(`update orders.ledger_look set all_completed_at = now() - interval '${age}'`);
    }
    expect(await sample('orders_ledger_full_check_age_seconds')).to.be.below(3600);
  });

  it('B15: differences that nothing has mended show, until they are gone', async () => {
    const at = new Date().toISOString();
    const date = at.slice(0, 10);
    const times = { createdAt: at, paidAt: at, expiresAt: at };
    const charge = { chargeId: 'c', orderNo: 'nobody', shopId: 'paygw-shop', amount: 1, currency: 'TWD', ...times };
    shop.gateway.charges.set('c', { ...charge, status: 'paid', callbackURL: '', refundedAmount: 0 });
    const compare = async () => {
      const { client } = shop;
      const args = [{ tenantId: 'shop', date, patienceMs: 500 }];
      await client.workflow.execute('reconcileCharges', { taskQueue: 'orders', workflowId: randomUUID(), args });
    };
    await alerts.scrape('ReconciliationDiffers');
    await compare();
    expect(await sample('orders_reconciliation_differences')).to.equal(1);
    await alerts.scrape('ReconciliationDiffers');
    shop.gateway.charges.delete('c');
    await compare();
    expect(await sample('orders_reconciliation_differences')).to.equal(0);
    await alerts.scrape('ReconciliationDiffers');
    await alerts.scrape('ReconciliationFailed');
    shop.gateway.state.fault = ({ operation }) => (operation === 'list' ? { response: [503, {}] } : undefined);
    await compare().catch(() => undefined);
    expect(await sample('orders_reconciliation_failed')).to.equal(1);
    await alerts.scrape('ReconciliationFailed');
    shop.gateway.state.fault = () => undefined;
    await compare();
    expect(await sample('orders_reconciliation_failed')).to.equal(0);
    await alerts.scrape('ReconciliationFailed');
  });

  it('B15: a tenant that is no longer compared shows by the age of its last comparison', async () => {
    await alerts.scrape('ReconciliationLate');
    await asOwner(`update orders.tenant set updated_at = now() - interval '2 days'`);
    await asOwner(`update orders.reconciliation_day set compared_at = now() - interval '2 days'`);
    expect(await sample('orders_reconciliation_age_seconds')).to.be.within(2 * 86_400, 3 * 86_400);
    await alerts.scrape('ReconciliationLate');
    expect(await sample('orders_reconciliation_oldest_missing_days')).to.equal(0);
    const [yesterday, before] = [1, 2].map((days) =>
      new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10),
    );
    await asOwner(
      `insert into orders.reconciliation_day (tenant_id, date, status, finished_at) values ('shop', '${before}', 'failed', now())`,
    );
    expect(await sample('orders_reconciliation_oldest_missing_days')).to.equal(2);
    for (const [tenantId, date] of [
      ['shop', before],
      ['shop', yesterday],
      ['other', yesterday],
    ] as const)
      ok(await shop.post('/admin/reconciliation', { date }, staff(tenantId)));
    await eventually(
      'it was compared',
      async () =>
        ((await sample('orders_reconciliation_age_seconds')) ?? 0) < 86_400 &&
        (await sample('orders_reconciliation_oldest_missing_days')) === 0,
    );
    await alerts.scrape('ReconciliationLate');
  });

  alerts.fireAndClear([
    'LedgerDrift',
    'LedgerUnchecked',
    'LedgerNotCheckedWhole',
    'ReconciliationDiffers',
    'ReconciliationFailed',
    'ReconciliationLate',
  ]);
});
