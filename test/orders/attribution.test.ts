import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { AttributedEntry, AttributedTotal } from '#domain/api/attribution.ts';
import { createClickTokens, type TrackedClick } from '#domain/campaigns/revenue/click-token.ts';
import { rows } from '#db/database.ts';
import { useOrders } from '../support/fixtures/orders.ts';
import { eventually } from '../support/time/eventually.ts';
import { clickTokens, internalSecret } from './support/orders-service.ts';
import { ok, staff } from './support/shop.ts';

const cash = { grossMoneyAmount: 100, moneyAmount: 100 };

describe('orders from links of campaigns', function () {
  this.timeout(180_000);
  const shop = useOrders({ tenants: { shop: {}, other: {} } });

  beforeEach(() => {
    shop.gateway.state.fault = () => undefined;
  });

  const clickOf = (more: Partial<TrackedClick> = {}): TrackedClick => ({
    campaignId: randomUUID(),
    subTaskKey: randomUUID(),
    messageIndex: 1,
    actionIndex: 2,
    countsUntil: new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_600_000),
    ...more,
  });
  const internal = async <Body>(path: string, secret = internalSecret): Promise<{ status: number; body: Body }> => {
    const response = await fetch(`${new URL(shop.base).origin}/internal/v1${path}`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    return { status: response.status, body: (await response.json()) as Body };
  };
  const feed = async (query = '') =>
    (await internal<{ entries: AttributedEntry[] }>(`/attributed-entries${query}`)).body.entries;
  const entriesOf = async ({ campaignId }: TrackedClick) =>
    (await feed())
      .filter((entry) => entry.campaignId === campaignId)
      .map(({ kind, amountMinor, currency }) => [kind, amountMinor, currency]);
  const totalOf = async ({ campaignId }: TrackedClick) =>
    (await internal<{ totals: AttributedTotal[] }>('/attributed-totals')).body.totals
      .filter((total) => total.campaignId === campaignId)
      .map(({ netMinor }) => netMinor);
  const origin = async (order: { orderId: string }) =>
    ((await shop.staffOrder(order, 'shop')) as unknown as { origin: object | null }).origin;
  const ordered = (clickToken: unknown, more: object = {}) => shop.create('shop', { ...cash, ...more, clickToken });
  async function paid(click: TrackedClick) {
    const order = await ordered(clickTokens.issue('shop', click));
    ok(await shop.payUntilKnown(order, 'shop'));
    await shop.gateway.pay(order.orderNo);
    await shop.until(order, 'shop', '30/30/30');
    return order;
  }
  const counted = async (result: string) => {
    const text = await (await fetch(`${shop.metricsAddress}/metrics`)).text();
    return Number(new RegExp(`orders_click_tokens_total\\{result="${result}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
  };

  it('remember the button that their token names', async () => {
    const click = clickOf();
    const order = await ordered(clickTokens.issue('shop', click));
    expect(await origin(order)).to.deep.equal({ ...click, countsUntil: click.countsUntil.toISOString() });
    expect(await origin(await shop.create('shop', cash))).to.equal(null);
  });

  it('are created as ever with a token that does not count, and each is counted by why', async () => {
    const secret = createClickTokens(['somebody-elses-secret-of-clicks']);
    const late = clickOf({ countsUntil: new Date('2026-01-01T00:00:00Z') });
    const cases: [result: string, token: unknown][] = [
      ['malformed', 'x'],
      ['malformed', 5],
      ['malformed', { a: [null] }],
      ['wrong', secret.issue('shop', clickOf())],
      ['wrong', clickTokens.issue('other', clickOf())],
      ['expired', clickTokens.issue('shop', late)],
    ];
    for (const [result, token] of cases) {
      const before = await counted(result);
      expect(await origin(await ordered(token)), result).to.equal(null);
      expect(await counted(result), result).to.equal(before + 1);
    }
  });

  it('are the same for the same key, whatever their token is then', async () => {
    const click = clickOf();
    const body = { tenantId: 'shop', ...cash };
    const create = async (clickToken: unknown) => {
      const headers = { 'idempotency-key': click.campaignId };
      const reply = await shop.request('POST', '/user/order/create', { ...body, clickToken }, undefined, headers);
      return ok(reply).data.orderId;
    };
    const first = await create(clickTokens.issue('shop', click));
    expect(await create(undefined)).to.equal(first);
    expect(await create(clickTokens.issue('shop', clickOf()))).to.equal(first);
    expect(await origin({ orderId: first })).to.include({ campaignId: click.campaignId });
  });

  it('tell what was paid and what was given back, in the order in which it was committed, and as the ledger has it', async () => {
    const click = clickOf();
    const order = await paid(click);
    expect(await entriesOf(click)).to.deep.equal([['payment', 10_000, 'TWD']]);
    const refund = { amount: 30.25, reason: 'broken', key: 'k' };
    ok(await shop.post(`/admin/orders/${order.orderId}/refund`, refund, staff('shop')));
    await shop.until(order, 'shop', '30/30/70');
    expect(await entriesOf(click)).to.deep.equal([
      ['payment', 10_000, 'TWD'],
      ['refund', -3025, 'TWD'],
    ]);
    expect(await totalOf(click)).to.deep.equal([6975]);
    ok(await shop.post(`/admin/orders/${order.orderId}/refund`, { reason: 'all', key: 'l' }, staff('shop')));
    await shop.until(order, 'shop', '30/30/60');
    expect((await entriesOf(click)).reduce((sum, [, amount]) => sum + Number(amount), 0)).to.equal(0);
    expect(await totalOf(click)).to.deep.equal([]);
  });

  it('count what staff accept instead of the total, and nothing that is not accepted', async () => {
    const click = clickOf();
    const order = await ordered(clickTokens.issue('shop', click));
    ok(await shop.payUntilKnown(order, 'shop'));
    Object.assign(shop.gateway.chargeOf(order.orderNo), { amount: 90 });
    await shop.gateway.pay(order.orderNo);
    await eventually('flagged', async () => (await shop.staffOrder(order, 'shop')).flags.length > 0);
    expect(await entriesOf(click)).to.deep.equal([]);
    ok(await shop.resolve(order, 'shop', 'complete'));
    expect(await entriesOf(click)).to.deep.equal([['payment', 9000, 'TWD']]);
    expect(await totalOf(click)).to.deep.equal([9000]);

    const late = clickOf();
    const cancelled = await ordered(clickTokens.issue('shop', late));
    ok(await shop.payUntilKnown(cancelled, 'shop'));
    ok(await shop.cancel(cancelled, 'shop'));
    await shop.gateway.pay(cancelled.orderNo, { late: true });
    await shop.until(cancelled, 'shop', '60/0/60');
    expect(await entriesOf(late)).to.deep.equal([]);
    expect(await totalOf(late)).to.deep.equal([]);
  });

  it('count what the gateway refunds at its own desk', async () => {
    const click = clickOf();
    const order = await paid(click);
    const charge = shop.gateway.chargeOf(order.orderNo);
    await shop.gateway.reportRefund(charge, shop.gateway.refundAtDesk(charge, 40));
    await shop.until(order, 'shop', '30/30/70');
    expect(await entriesOf(click)).to.deep.equal([
      ['payment', 10_000, 'TWD'],
      ['refund', -4000, 'TWD'],
    ]);
    expect(await totalOf(click)).to.deep.equal([6000]);
  });

  it('do not count once their window is over, nor do their refunds', async () => {
    const click = clickOf({ countsUntil: new Date(Math.ceil(Date.now() / 1000) * 1000 + 2000) });
    const order = await ordered(clickTokens.issue('shop', click));
    ok(await shop.payUntilKnown(order, 'shop'));
    await eventually('the window is over', () => Promise.resolve(new Date() > click.countsUntil));
    await shop.gateway.pay(order.orderNo);
    await shop.until(order, 'shop', '30/30/30');
    ok(await shop.post(`/admin/orders/${order.orderId}/refund`, { reason: 'x', key: 'k' }, staff('shop')));
    await shop.until(order, 'shop', '30/30/60');
    expect(await origin(order)).to.include({ campaignId: click.campaignId });
    expect(await entriesOf(click)).to.deep.equal([]);
    expect(await totalOf(click)).to.deep.equal([]);
  });

  it('name the contact that the shop named, in the feed and to staff, and not to payers', async () => {
    const contact = { serviceNumberId: 'sn-1', contactId: 'contact-1' };
    const click = clickOf();
    const order = await ordered(clickTokens.issue('shop', click), { contact });
    ok(await shop.payUntilKnown(order, 'shop'));
    await shop.gateway.pay(order.orderNo);
    await shop.until(order, 'shop', '30/30/30');
    const entry = (await feed()).find(({ orderId }) => orderId === order.orderId);
    expect(entry?.contact).to.include(contact);
    expect(entry).to.include({ campaignId: click.campaignId, kind: 'payment', amountMinor: 10_000 });
    expect((await shop.staffOrder(order, 'shop')).contact).to.deep.equal(contact);
    const own = ok(await shop.post('/user/order/item', { tenantId: 'shop', orderId: order.orderId }));
    expect(own.data).not.to.have.property('contact');
    expect((await shop.staffOrder(await paid(clickOf()), 'shop')).contact).to.equal(null);
  });

  it('of a named contact are in the feed without a campaign, or after its window, and count for none', async () => {
    const contact = { serviceNumberId: 'sn-1', contactId: 'contact-2' };
    const over = clickOf({ countsUntil: new Date(Math.ceil(Date.now() / 1000) * 1000 + 2000) });
    for (const token of [null, clickTokens.issue('shop', over)]) {
      const order = await ordered(token, { contact });
      ok(await shop.payUntilKnown(order, 'shop'));
      await eventually('the window is over', () => Promise.resolve(new Date() > over.countsUntil));
      await shop.gateway.pay(order.orderNo);
      await shop.until(order, 'shop', '30/30/30');
      ok(await shop.post(`/admin/orders/${order.orderId}/refund`, { amount: 1, reason: 'x', key: 'k' }, staff('shop')));
      await shop.until(order, 'shop', '30/30/70');
      const entries = (await feed()).filter(({ orderId }) => orderId === order.orderId);
      expect(entries.map(({ kind, amountMinor, campaignId }) => [kind, amountMinor, campaignId])).to.deep.equal([
        ['payment', 10_000, null],
        ['refund', -100, null],
      ]);
      for (const entry of entries) expect(entry.contact).to.include(contact);
    }
    expect(await totalOf(over)).to.deep.equal([]);
  });

  it('are refused with half a contact, and another contact is another order for a key', async () => {
    const create = (contact: object | null) => {
      const body = { tenantId: 'shop', ...cash, contact };
      return shop.request('POST', '/user/order/create', body, undefined, { 'idempotency-key': 'contact-key' });
    };
    expect((await create({ contactId: 'c' })).code).to.equal(90001);
    const contact = { serviceNumberId: 'sn-1', contactId: 'contact-3' };
    const first = ok(await create(contact)).data.orderId;
    expect(ok(await create(contact)).data.orderId).to.equal(first);
    expect((await create({ ...contact, contactId: 'contact-4' })).code).to.equal(90205);
    expect((await create(null)).code).to.equal(90205);
  });

  it('appear in the feed page by page, none of them behind one that was read', async () => {
    const first = await paid(clickOf());
    const last = (await feed()).at(-1);
    expect(last?.orderId).to.equal(first.orderId);
    const after = last?.position ?? 0;
    // It begins before the next one and commits after it has been read.
    const slow = await shop.database.transaction();
    const origins = clickOf();
    const open = await ordered(clickTokens.issue('shop', origins));
    await rows(
      slow,
      `insert into cash_entry (movement, account, amount_minor, currency, tenant_id, order_id)
       values ('receipt:' || :orderId || ':9', 'gateway', 700, 'TWD', 'shop', :orderId),
         ('receipt:' || :orderId || ':9', 'sales', -700, 'TWD', 'shop', :orderId)`,
      { orderId: open.orderId },
    );
    const second = await paid(clickOf());
    const seen = await feed(`?after=${after}`);
    expect(seen.map(({ orderId }) => orderId)).to.deep.equal([second.orderId]);
    await slow.commit();
    const read = seen.at(-1)?.position ?? 0;
    expect((await feed(`?after=${read}`)).map(({ orderId }) => orderId)).to.deep.equal([open.orderId]);
    expect((await feed(`?after=${after}&limit=1`)).map(({ orderId }) => orderId)).to.deep.equal([second.orderId]);
    expect(await feed(`?after=${after}&through=${read}`)).to.have.length(1);
  });

  it('are told to nobody without the secret that the services share', async () => {
    for (const path of ['/attributed-entries', '/attributed-totals'])
      expect((await internal(path, 'something-else-entirely')).status).to.equal(401);
  });
});
