import { expect } from 'chai';
import { oldestMissingDays } from '#db/orders/reconciliation/days.ts';
import type { Difference } from '#domain/orders/administration/reconciliation.ts';
import { reconcileWorkflowId } from '#workflows/contracts/orders/reconcile-charges.ts';
import { useOrders } from '../support/fixtures/orders.ts';
import { eventually } from '../support/time/eventually.ts';
import { comparing, type Day, today } from './support/comparing.ts';
import type { FakeCharge } from './support/fake-charges.ts';
import { ok, staff } from './support/shop.ts';

const known = (kind: Difference['kind'], charge: FakeCharge, orderId: string | null) => ({
  kind,
  chargeId: charge.chargeId,
  refundId: null,
  orderId,
});

describe('the reconciliation with the payment gateway', () => {
  const shop = useOrders({ tenants: { shop: {}, other: {}, poor: { PAYGW_shopId: null } } });
  const { ask, read, days, compare, charge, ...orders } = comparing(shop);

  afterEach(() => {
    shop.gateway.state.fault = () => undefined;
  });

  const itemOf = (day: { items: Difference[] }, { chargeId }: FakeCharge) =>
    day.items.find((item) => item.chargeId === chargeId);

  it('B15: a lost callback is found and mended: the order is completed', async () => {
    const { order, charge: own } = await orders.pending();
    // Nothing but the comparison may notice the money.
    shop.gateway.state.fault = ({ operation }) =>
      operation === 'read' && shop.gateway.of('list').length === 0 ? { response: [503, {}] } : undefined;
    await shop.gateway.pay(order.orderNo, { lost: true });
    const day = await compare(today());
    await shop.until(order, 'shop', '30/30/30');
    const expected = { ...known('paid_there_only', own, order.orderId), ours: null, theirs: 100 };
    expect(itemOf(day, own)).to.deep.equal({ ...expected, mended: true });
    expect(itemOf(await compare(today()), own)).to.equal(undefined);
  });

  it('B15: late money whose callback was lost is refunded', async () => {
    const { order, charge: own } = await orders.pending();
    ok(await shop.cancel(order, 'shop'));
    await shop.gateway.pay(order.orderNo, { late: true, lost: true });
    const day = await compare(today());
    await shop.until(order, 'shop', '60/0/60');
    expect(own.status).to.equal('refunded');
    const expected = { ...known('paid_there_only', own, order.orderId), ours: null, theirs: 100 };
    expect(itemOf(day, own)).to.deep.equal({ ...expected, mended: true });
    expect(itemOf(await compare(today()), own)).to.equal(undefined);
  });

  it('B15: money of an order that is not ours is shown, and left where it is', async () => {
    const foreign = charge();
    const day = await compare(today());
    const expected = { ...known('unknown_order', foreign, null), ours: null, theirs: 12.5, mended: false };
    expect(itemOf(day, foreign)).to.deep.equal(expected);
    expect(foreign.status).to.equal('paid');
  });

  const unmatched = async ({ chargeId }: FakeCharge) => {
    const { items } = ok(await shop.request('GET', '/admin/callbacks/unmatched?limit=200', undefined, staff('shop')))
      .data as unknown as { items: { eventId: string; chargeId: string; type: string }[] };
    return items.filter((item) => item.chargeId === chargeId).map(({ eventId, type }) => [eventId, type]);
  };
  const decide = (eventId: string, outcome: string) =>
    shop.post(`/admin/callbacks/${encodeURIComponent(eventId)}/resolve`, { outcome, note: 'seen' }, staff('shop'));
  const callbackOf = (own: FakeCharge, eventId: string) =>
    shop.gateway.callback({ ...own, callbackURL: `${shop.base}/payment-gateway/callback` }, { eventId });

  it('money of an unknown order is one item of unmatched money, and goes back from there', async () => {
    const foreign = charge();
    const eventId = `reconciliation:${today()}:${foreign.chargeId}`;
    for (const _ of [1, 2]) {
      await compare(today());
      expect(await unmatched(foreign)).to.deep.equal([[eventId, 'charge.paid']]);
    }
    await Promise.all(['late-1', 'late-2'].map((id) => callbackOf(foreign, id)));
    expect(await unmatched(foreign)).to.deep.equal([[eventId, 'charge.paid']]);
    ok(await decide(eventId, 'refund'));
    await eventually('it goes back', () => foreign.status === 'refunded');
    const asked = shop.gateway.of('refund').filter(({ chargeId }) => chargeId === foreign.chargeId);
    expect(asked.map(({ idempotencyKey }) => idempotencyKey)).to.deep.equal([`refund:${foreign.chargeId}`]);
    expect(itemOf(await compare(today()), foreign)).to.equal(undefined);
    await callbackOf(foreign, 'later still');
    expect(await unmatched(foreign)).to.deep.equal([]);
  });

  it('a callback of an unknown order that came first stays the one item; ignored, it is not found again', async () => {
    const foreign = charge();
    await callbackOf(foreign, 'first');
    expect(itemOf(await compare(today()), foreign)).to.include({ kind: 'unknown_order' });
    expect(await unmatched(foreign)).to.deep.equal([['first', 'charge.paid']]);
    ok(await decide('first', 'ignore'));
    expect(itemOf(await compare(today()), foreign)).to.equal(undefined);
    expect(await unmatched(foreign)).to.deep.equal([]);
    expect(foreign.status).to.equal('paid');
  });

  it('B15: amounts that differ are shown', async () => {
    const { order, charge: own } = await orders.paid();
    expect(itemOf(await compare(today()), own)).to.equal(undefined);
    own.amount = 90;
    const expected = { ...known('amount_differs', own, order.orderId), ours: 100, theirs: 90, mended: false };
    expect(itemOf(await compare(today()), own)).to.deep.equal(expected);
  });

  it('B15: a refund that only the gateway knows is shown as an amount that differs', async () => {
    const { order, charge: own } = await orders.paid();
    own.refundedAmount = 40;
    const expected = { ...known('amount_differs', own, order.orderId), ours: 100, theirs: 60, mended: false };
    expect(itemOf(await compare(today()), own)).to.deep.equal(expected);
  });

  it('B15: money that we accepted and the gateway does not show is found; a charge of another day is read first', async () => {
    const [gone, unpaid, elsewhere] = [await orders.paid(), await orders.paid(), await orders.paid()];
    for (const { order } of [gone, unpaid, elsewhere]) await orders.receivedAt(order, '2026-03-04T12:00:00Z');
    shop.gateway.charges.delete(gone.charge.chargeId);
    unpaid.charge.status = 'pending';
    const day = await compare('2026-03-04');
    const expected = [gone, unpaid].map(({ order, charge: own }) => ({
      ...known('paid_here_only', own, order.orderId),
      ours: 100,
      theirs: null,
      mended: false,
    }));
    expect(day.items).to.have.deep.members(expected);
  });

  it('B15: a day begins and ends at midnight, UTC, by the time a charge was paid', async () => {
    const last = charge({ createdAt: '2026-02-03T10:00:00Z', paidAt: '2026-02-03T23:59:59.999Z' });
    const first = charge({ createdAt: '2026-02-03T23:59:00Z', paidAt: '2026-02-04T00:00:00.000Z' });
    charge({ createdAt: '2026-02-04T10:00:00Z', paidAt: '2026-02-05T00:00:00.000Z' });
    const charges = async (date: string) => (await compare(date)).items.map(({ chargeId }) => chargeId);
    expect(await charges('2026-02-03')).to.deep.equal([last.chargeId]);
    expect(await charges('2026-02-04')).to.deep.equal([first.chargeId]);
  });

  it('B15: money paid before midnight and received after it is no difference on either day', async () => {
    const { order, charge: own } = await orders.paid();
    Object.assign(own, { createdAt: '2026-02-10T23:50:00Z', paidAt: '2026-02-10T23:59:59Z' });
    await orders.receivedAt(order, '2026-02-11T00:00:01Z');
    for (const date of ['2026-02-10', '2026-02-11']) expect((await compare(date)).items, date).to.deep.equal([]);
  });

  it('B15: every page of the gateway’s list is compared', async () => {
    const at = { createdAt: '2026-01-10T10:00:00Z', paidAt: '2026-01-10T10:00:00Z' };
    const made = Array.from({ length: 230 }, () => charge(at));
    charge({ ...at, status: 'cancelled' });
    const lists = shop.gateway.of('list').length;
    const day = await compare('2026-01-10');
    expect(day.items.map(({ chargeId }) => chargeId)).to.have.members(made.map(({ chargeId }) => chargeId));
    expect(shop.gateway.of('list').length - lists).to.equal(3);
    const newest = (await days()).items.find(({ date }) => date === '2026-01-10');
    expect(newest).to.include({ status: 'done', charges: 230, differences: 230, mended: 0 });
    expect(await shop.database('reconciliation_charge')).to.have.length(0);
  });

  it('B15: comparing a day again replaces what was found', async () => {
    const at = { createdAt: '2026-01-20T10:00:00Z', paidAt: '2026-01-20T10:00:00Z' };
    const [given, kept] = [charge(at), charge(at)];
    expect((await compare('2026-01-20')).items).to.have.length(2);
    given.status = 'refunded';
    expect((await compare('2026-01-20')).items.map(({ chargeId }) => chargeId)).to.deep.equal([kept.chargeId]);
  });

  it('B15: the days that were compared are listed newest first, by cursor, without another tenant’s', async () => {
    await compare('2026-01-21', 'other');
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await days(`?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`);
      expect(page.items.length).to.be.at.most(2);
      seen.push(...page.items.map(({ date }) => date));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).to.include('2026-01-20').and.not.include('2026-01-21');
    expect(seen).to.deep.equal([...new Set(seen)].toSorted().toReversed());
    expect((await shop.request('GET', '/admin/reconciliation/days?cursor=x', undefined, staff('shop'))).code).to.equal(
      90001,
    );
  });

  it('B15: a future day is 90001, a tenant without a shop 90204, and a day nobody compared has status none', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    for (const date of [tomorrow, '2026-02-30', '2026-1-1', '', 5]) {
      const response = await ask(date);
      expect(response.code, String(date)).to.equal(90001);
      expect(response.errors?.[0]?.path).to.equal('/date');
    }
    expect((await ask('2026-01-01', 'poor')).code).to.equal(90204);
    expect((await shop.post('/admin/reconciliation', { date: '2026-01-01' })).code).to.equal(90003);
    expect(await read('2025-01-01')).to.deep.equal({ date: '2025-01-01', status: 'none', finishedAt: null, items: [] });
  });

  it('B12: a comparison by hand is in the audit log', async () => {
    await compare('2026-01-22');
    const [entry] = await shop
      .database('audit_entry')
      .where({ action: 'reconciliation.run', subject_id: '2026-01-22' });
    expect(entry).to.include({ tenantId: 'shop', actor: 's-1', subjectType: 'reconciliation' });
  });

  it('B15: staff see in Temporal what a comparison did', async () => {
    charge({ createdAt: '2026-01-23T10:00:00Z', paidAt: '2026-01-23T10:00:00Z' });
    await compare('2026-01-23');
    const run = shop.client.workflow.getHandle(reconcileWorkflowId({ tenantId: 'shop', date: '2026-01-23' }));
    expect(await run.result()).to.deep.equal({ charges: 1, differences: 1, mended: 0 });
    const described = await run.describe();
    expect(await described.staticSummary()).to.equal(
      'Compares the charges of shop on 2026-01-23 with the payment gateway',
    );
    expect(described.searchAttributes).to.deep.include({ TenantId: ['shop'], BizStatus: ['RECONCILED'] });
  });

  it('B15: is scheduled every day at 00:30 UTC', async () => {
    await shop.launcher.ensureSchedules();
    const { spec, action } = await shop.client.schedule.getHandle('reconcile-charges').describe();
    expect(spec.calendars?.[0]).to.deep.include({ hour: [{ start: 0, end: 0, step: 1 }] });
    expect(spec.calendars?.[0]).to.deep.include({ minute: [{ start: 30, end: 30, step: 1 }] });
    expect(action).to.include({ workflowType: 'reconcileShops', taskQueue: 'orders' });
  });
});

describe('the daily run of the reconciliation', () => {
  const shop = useOrders({ tenants: { shop: {}, other: {}, poor: { PAYGW_shopId: null } } });
  const { read, days, compare } = comparing(shop);
  const daysAgo = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10);
  const yesterday = daysAgo(1);
  const run = () =>
    shop.client.workflow.execute('reconcileShops', {
      taskQueue: 'orders',
      workflowId: 'reconcile-charges-by-hand',
      args: [{ patienceMs: 200 }],
    });

  afterEach(() => {
    shop.gateway.state.fault = () => undefined;
  });

  it('B15: every tenant with a shop is compared for the day before; one that fails does not stop the others', async () => {
    shop.gateway.state.fault = ({ operation, query }) =>
      operation === 'list' && query['shopId'] === 'paygw-other' ? { response: [503, {}] } : undefined;
    expect(await run()).to.deep.equal({ compared: 1, failed: 1 });
    expect(await read(yesterday)).to.include({ status: 'done' });
    expect(await read(yesterday, 'other')).to.include({ status: 'failed' });
    expect(await read(yesterday, 'poor')).to.include({ status: 'none' });
  });

  it('compares the days that were missed, failed or not over as well, the oldest first', async () => {
    await compare(daysAgo(6));
    await compare(daysAgo(4));
    await shop
      .database('reconciliation_day')
      .insert({ tenant_id: 'shop', date: daysAgo(3), status: 'failed', finished_at: new Date() });
    // While it was not over.
    await shop
      .database('reconciliation_day')
      .where({ date: daysAgo(4) })
      .update({ started_at: `${daysAgo(4)}T23:00Z` });
    expect(await oldestMissingDays(shop.database)).to.equal(5);
    const before = shop.gateway.of('list').length;
    // The other tenant's day before failed above.
    expect(await run()).to.deep.equal({ compared: 5 + 1, failed: 0 });
    const asked = shop.gateway
      .of('list')
      .slice(before)
      .map(({ query }) => query)
      .filter(({ shopId }) => shopId === 'paygw-shop');
    expect(asked.map(({ from }) => from?.slice(0, 10))).to.deep.equal([5, 4, 3, 2, 1].map(daysAgo));
    const found = (await days()).items.map(({ date, status }) => [date, status]);
    expect(found).to.deep.equal([1, 2, 3, 4, 5, 6].map((count) => [daysAgo(count), 'done']));
    expect(await oldestMissingDays(shop.database)).to.equal(0);
  });

  const askForMissing = async (tenantId: string) =>
    ok(await shop.post('/admin/reconciliation', {}, staff(tenantId))).data as unknown as { items: Day[] };

  it('staff have the missing days of their own tenant compared at once, the oldest first', async () => {
    for (const tenantId of ['shop', 'other'])
      await shop
        .database('reconciliation_day')
        .insert({ tenant_id: tenantId, date: daysAgo(8), status: 'failed', finished_at: new Date() });
    await shop
      .database('reconciliation_day')
      .where({ tenant_id: 'shop', date: daysAgo(2) })
      .update({ status: 'failed' });
    const before = shop.gateway.of('list').length;
    const { items } = await askForMissing('shop');
    expect(items.map(({ date, status }) => [date, status])).to.deep.equal(
      [8, 7, 2].map((n) => [daysAgo(n), 'running']),
    );
    await eventually('they are compared', async () => (await days()).items.every(({ status }) => status === 'done'));
    const asked = shop.gateway.of('list').slice(before);
    expect(asked.map(({ query }) => query['shopId'])).to.deep.equal(Array(3).fill('paygw-shop'));
    expect(asked.map(({ query }) => query['from']?.slice(0, 10))).to.deep.equal([8, 7, 2].map(daysAgo));
    expect(await read(daysAgo(8), 'other')).to.include({ status: 'failed' });
    expect((await askForMissing('shop')).items).to.deep.equal([]);
    const [entry, ...more] = await shop.database('audit_entry').where({ subject_id: 'missing' });
    expect(more).to.deep.equal([]);
    expect(entry).to.deep.include({ tenantId: 'shop', after: { dates: [8, 7, 2].map(daysAgo) } });
  });

  it('a tenant with nothing to compare yet has yesterday compared; one without a shop gets 90204', async () => {
    await shop.putTenant('new');
    expect((await askForMissing('new')).items.map(({ date }) => date)).to.deep.equal([yesterday]);
    await eventually('it is compared', async () => (await read(yesterday, 'new')).status === 'done');
    expect((await askForMissing('new')).items).to.deep.equal([]);
    expect((await shop.post('/admin/reconciliation', {}, staff('poor'))).code).to.equal(90204);
  });
});
