import { expect } from 'chai';
import { Registry } from 'prom-client';
import { createBackendMetrics } from '#api/backend/metrics.ts';
import { createMetricsServer } from '#api/runtime/metrics-server.ts';
import { rehearse } from '../support/alerts/rehearsal.ts';
import { listen } from '../support/http/listen.ts';
import {
  compareRevenue,
  createRevenueReader,
  readRevenue,
  type RevenueReaderDeps,
} from '#activities/outreach/revenue/reader.ts';
import { linkTokens } from '#activities/outreach/revenue/link-tokens.ts';
import { type AttributionFeed, createAttributionClient } from '#clients/orders/attribution.ts';
import { isPseudonym } from '#domain/contacts/pseudonym.ts';
import { type AttributedTotals, attributedTotalsSchema } from '#domain/api/attribution.ts';
import { beginErasure } from '#commands/outreach/erasure/begin-erasure.ts';
import { erase } from '#commands/outreach/erasure/erase.ts';
import { firstRow, rows } from '#db/database.ts';
import { readResults } from '#db/outreach/clicks/results.ts';
import { readOverview } from '#db/outreach/overview/overview.ts';
import { readRevenueFigures } from '#db/outreach/revenue/comparison.ts';
import { useDatabase } from '../support/fixtures/database.ts';
import { fixture } from '../support/fixtures/fixture.ts';
import { eventually } from '../support/time/eventually.ts';
import { useOrders } from '../support/fixtures/orders.ts';
import { seedSend, seedTenant, type TestSend } from '../support/outreach/rows.ts';
import { testEncryption } from '../support/services/outreach-flows.ts';
import { clickTokens, internalSecret } from './support/orders-service.ts';
import { ok, staff } from './support/shop.ts';

/** Draws the same numbers each time. */
function drawing(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

describe('the revenue of campaigns', function () {
  this.timeout(240_000);
  const shop = useOrders({ tenants: { shop: {} } });
  const outreach = useDatabase('outreach');
  const feed = fixture(async () => {
    const client = createAttributionClient({ baseUrl: new URL(shop.base).origin, secret: internalSecret });
    return { value: client, close: () => client.destroy() };
  });
  const metrics = fixture(async () => {
    const registry = new Registry();
    createBackendMetrics(registry, outreach);
    const server = createMetricsServer({ registry });
    return { value: { address: await listen(server) }, close: async () => void server.close() };
  });
  const alerts = rehearse('backend', () => metrics.address);
  const silent = () => {};
  const deps = (more: Partial<AttributionFeed> = {}): RevenueReaderDeps => ({
    database: outreach,
    encryption: testEncryption,
    feed: { entries: (...given) => feed.entries(...given), totals: (page) => feed.totals(page), ...more },
    now: () => new Date(),
    log: { info: silent, warn: silent, error: silent },
  });

  /** The tenant has the same id at both services. */
  let tenantId = '';
  before(async () => {
    ({ tenantId } = await seedTenant(outreach, testEncryption));
    await shop.putTenant(tenantId, { currency: 'EUR' });
  });

  async function sent(): Promise<TestSend> {
    const send = await seedSend(outreach, tenantId, { chunks: [2] });
    await rows(outreach, 'update campaign set revenue_window_days = 7 where campaign_id = :campaignId', {
      campaignId: send.campaignId,
    });
    return send;
  }
  const tokenOf = ({ campaignId, keys: [key = ''] }: TestSend, actionIndex = 1) => {
    const content = { tenantId, campaignId, revenueWindowDays: 7, scheduledAt: null };
    const { tokenOf: token } = linkTokens(clickTokens, content, { key, now: new Date(), variant: null });
    return token?.({ messageIndex: 0, actionIndex });
  };
  async function paid(send: TestSend, amount: number, actionIndex = 1) {
    const clickToken = tokenOf(send, actionIndex);
    const order = await shop.create(tenantId, { grossMoneyAmount: amount, moneyAmount: amount, clickToken });
    ok(await shop.payUntilKnown(order, tenantId));
    await shop.gateway.pay(order.orderNo);
    await shop.until(order, tenantId, '30/30/30');
    return order;
  }
  const refunded = async (order: { orderId: string }, amount: number) =>
    ok(
      await shop.post(
        `/admin/orders/${order.orderId}/refund`,
        { amount, reason: 'broken', key: `${amount}` },
        staff(tenantId),
      ),
    );
  const revenueOf = async ({ campaignId }: TestSend) =>
    (await readResults(outreach, tenantId, { id: campaignId, messages: [], messagesBy: null, variants: null }))
      ?.revenue;
  /** An hour or two later, with what changed; or, a week later, with everything. */
  const compared = async ({ all = false, totals }: { all?: boolean; totals?: AttributionFeed['totals'] } = {}) => {
    await rows(outreach, `update revenue_position set compared_at = now() - interval '2 hours'`, {});
    if (all) await rows(outreach, `update revenue_position set compared_all_at = now() - interval '8 days'`, {});
    return compareRevenue(deps(totals && { totals }));
  };

  it('is what orders from its links were paid, by button, and a refund takes it back', async () => {
    const send = await sent();
    await paid(send, 100);
    const order = await paid(send, 49.99, 0);
    await refunded(order, 20.5);
    expect(await readRevenue(deps())).to.equal(true);
    const euros = { currency: 'EUR' };
    expect(await revenueOf(send)).to.deep.equal({
      windowDays: 7,
      totals: [{ ...euros, orders: 2, paid: 149.99, refunded: 20.5, net: 129.49, averageOrder: 75 }],
      byAction: [
        { messageIndex: 0, actionIndex: 0, label: '', ...euros, orders: 1, paid: 49.99, refunded: 20.5, net: 29.49 },
        { messageIndex: 0, actionIndex: 1, label: '', ...euros, orders: 1, paid: 100, refunded: 0, net: 100 },
      ],
    });
    await refunded(order, 29.49);
    await readRevenue(deps());
    expect((await revenueOf(send))?.totals).to.deep.include({
      ...euros,
      orders: 2,
      paid: 149.99,
      refunded: 49.99,
      net: 100,
      averageOrder: 75,
    });
  });

  it('is null for a campaign whose links carry no token', async () => {
    expect(await revenueOf(await seedSend(outreach, tenantId, { chunks: [1] }))).to.equal(null);
  });

  it('counts in the period of the overview in which it was paid or given back', async () => {
    const hour = 3_600_000;
    const now = Date.now();
    const period = {
      previousFrom: new Date(now - 2 * hour),
      from: new Date(now - hour),
      to: new Date(now + hour),
      timeZone: 'UTC',
    };
    const read = async (scope: object = {}) =>
      (await readOverview(outreach, { tenantId, ...scope }, period, new Date())).revenue;
    const before = (await read())[0];
    const send = await sent();
    await paid(send, 10);
    await readRevenue(deps());
    const [after] = await read({ serviceNumberId: 'sn-1' });
    expect(after?.net).to.equal((before?.net ?? 0) + 10);
    expect(await read({ serviceNumberId: 'sn-other' })).to.deep.equal([]);
    await rows(
      outreach,
      `update revenue_entry set at = at - interval '70 minutes' where campaign_id = :campaignId and at > now() - interval '30 minutes'`,
      { campaignId: send.campaignId },
    );
    expect((await read())[0]).to.include({ net: before?.net ?? 0, previousNet: 10 });
  });

  it('is stored once, however often and by however many processes the feed is read', async () => {
    const send = await sent();
    await paid(send, 7);
    await Promise.all([readRevenue(deps()), readRevenue(deps()), readRevenue(deps())]);
    await rows(outreach, 'update revenue_position set position = 0', {});
    await readRevenue(deps());
    expect((await revenueOf(send))?.totals[0]).to.include({ orders: 1, paid: 7 });
  });

  it('is stored by the contact that an order names, with a campaign or without, and under the pseudonym once erased', async () => {
    const contactOf = (contactId: string) => ({ serviceNumberId: 'sn-1', contactId });
    const pay = async (contactId: string, clickToken?: string) => {
      const cash = { grossMoneyAmount: 50, moneyAmount: 50 };
      const order = await shop.create(tenantId, { ...cash, clickToken, contact: contactOf(contactId) });
      ok(await shop.payUntilKnown(order, tenantId));
      await shop.gateway.pay(order.orderNo);
      await shop.until(order, tenantId, '30/30/30');
      return order;
    };
    const stored = (order: { orderId: string }) =>
      rows<{ contactId: string; amountMinor: number }>(
        outreach,
        `select contact_id, amount_minor::int from contact_revenue_entry
         where tenant_id = :tenantId and order_id = :orderId and service_number_id = 'sn-1' order by at`,
        { tenantId, orderId: order.orderId },
      );
    const send = await sent();
    const attributed = await pay('buyer', tokenOf(send));
    const direct = await pay('buyer');
    await readRevenue(deps());
    for (const order of [attributed, direct])
      expect(await stored(order)).to.deep.equal([{ contactId: 'buyer', amountMinor: 5000 }]);
    expect((await revenueOf(send))?.totals[0]).to.include({ orders: 1, paid: 50 });

    const unread = await pay('buyer');
    const author = { tenantId, userId: 'admin-1', requestId: null, callerRequestId: null };
    const asked = { contactId: 'buyer', reason: 'asked', now: new Date() };
    const erased = await beginErasure(outreach, testEncryption, author, asked);
    await erase(outreach, testEncryption, erased, () => new Date());
    await refunded(direct, 10);
    await readRevenue(deps());
    expect(await stored(unread)).to.deep.equal([]);
    const pseudonym = (await stored(attributed))[0]?.contactId ?? '';
    expect(isPseudonym(pseudonym)).to.equal(true);
    expect(await stored(direct)).to.deep.equal([
      { contactId: pseudonym, amountMinor: 5000 },
      { contactId: pseudonym, amountMinor: -1000 },
    ]);
    const later = await pay('buyer');
    await readRevenue(deps());
    expect(await stored(later)).to.deep.equal([{ contactId: 'buyer', amountMinor: 5000 }]);
  });

  it('adds up to what the ledger of the orders says, to the cent, after orders and refunds drawn at random', async () => {
    const draw = drawing(20_261_125);
    const sends = [await sent(), await sent(), await sent()];
    for (let step = 0; step < 12; step += 1) {
      const send = sends[draw(sends.length)];
      if (!send) continue;
      const cents = 1 + draw(100_000);
      const order = await paid(send, cents / 100, draw(2));
      if (draw(3) === 0) await refunded(order, cents / 100);
      else if (draw(2) === 0 && cents > 1) await refunded(order, (1 + draw(cents - 1)) / 100);
      if (draw(3) === 0) await readRevenue(deps());
    }
    expect(await compared()).to.equal(0);
    const ledger = await rows<{ campaignId: string; net: number }>(
      shop.database,
      `select campaign_id, -sum(amount_minor)::int as net from order_origin join cash_entry using (order_id)
       where account = 'sales' group by 1 having sum(amount_minor) <> 0 order by 1`,
      {},
    );
    const ours = await rows<{ campaignId: string; net: number }>(
      outreach,
      `select campaign_id, sum(paid_minor - refunded_minor)::int as net from campaign_revenue
       group by 1 having sum(paid_minor - refunded_minor) <> 0 order by 1`,
      {},
    );
    expect(ours).to.deep.equal(ledger);
    expect(ours.length).to.be.greaterThan(3);
  });

  it('is compared every hour: a difference is counted and listed, and no longer once it is mended', async () => {
    const send = await sent();
    await paid(send, 30);
    await compared();
    expect(await readRevenueFigures(outreach)).to.include({ differences: 0 });
    const change = (by: number) =>
      rows(outreach, 'update campaign_revenue set paid_minor = paid_minor + :by where campaign_id = :campaignId', {
        by,
        campaignId: send.campaignId,
      });
    await change(1);
    expect(await compareRevenue(deps()), 'not yet').to.equal(null);
    expect(await compared(), 'nothing was booked').to.equal(0);
    expect(await compared({ all: true })).to.equal(1);
    expect(await compared(), 'as long as it differs').to.equal(1);
    expect(await readRevenueFigures(outreach)).to.include({ differences: 1 });
    const period = { previousFrom: new Date(0), from: new Date(0), to: new Date(), timeZone: 'UTC' };
    const { attention } = await readOverview(
      outreach,
      { tenantId },
      { ...period, from: new Date(Date.now() - 1000) },
      new Date(),
    );
    expect(attention.revenueDiffers.count).to.equal(1);
    expect(attention.revenueDiffers.items[0]).to.include({
      campaignId: send.campaignId,
      name: 'Spring',
      serviceNumberId: 'sn-1',
      currency: 'EUR',
      shown: 30.01,
      ledger: 30,
    });
    await change(-1);
    expect(await compared()).to.equal(0);
    expect(await readRevenueFigures(outreach)).to.include({ differences: 0 });
  });

  it('shows on the metrics that it differs, or that nobody has compared', async () => {
    const send = await sent();
    await paid(send, 8);
    await compared();
    const change = (by: number) =>
      rows(
        outreach,
        'update campaign_revenue set refunded_minor = refunded_minor + :by where campaign_id = :campaignId',
        {
          by,
          campaignId: send.campaignId,
        },
      );
    await alerts.scrape('RevenueDiffers');
    await change(100);
    await compared({ all: true });
    await alerts.scrape('RevenueDiffers');
    await change(-100);
    await compared();
    await alerts.scrape('RevenueDiffers');
    await alerts.scrape('RevenueUnchecked');
    await rows(outreach, `update revenue_position set compared_at = now() - interval '3 hours'`, {});
    await alerts.scrape('RevenueUnchecked');
    expect(await compareRevenue(deps())).to.equal(0);
    await alerts.scrape('RevenueUnchecked');
  });

  alerts.fireAndClear(['RevenueDiffers', 'RevenueUnchecked']);

  it('is compared for the campaigns about which anything was booked since, and in pages', async () => {
    const sends = [await sent(), await sent(), await sent()];
    for (const send of sends) await paid(send, 4);
    await compared({ all: true });
    const asked: AttributedTotals[] = [];
    const told: AttributionFeed['totals'] = async (page) => {
      const said = await feed.totals(page);
      asked.push(said);
      return said;
    };
    expect(await compared({ totals: told })).to.equal(0);
    const [first, second] = sends;
    if (!first || !second) throw new Error('there are three');
    await paid(first, 5);
    await refunded(await paid(second, 6), 6);
    await rows(outreach, 'update campaign_revenue set paid_minor = paid_minor + 1 where campaign_id = :campaignId', {
      campaignId: second.campaignId,
    });
    expect(await compared({ totals: told })).to.equal(1);
    expect(asked.map(({ campaigns }) => campaigns.map(({ campaignId }) => campaignId).toSorted())).to.deep.equal([
      [],
      [first.campaignId, second.campaignId].toSorted(),
    ]);
    await rows(outreach, 'update campaign_revenue set paid_minor = paid_minor - 1 where campaign_id = :campaignId', {
      campaignId: second.campaignId,
    });
    const pages: string[] = [];
    const inPages: AttributionFeed['totals'] = async ({ since, through, after }) => {
      const from = after ? `&afterTenantId=${after.platformTenantId}&afterCampaignId=${after.campaignId}` : '';
      const response = await fetch(
        `${new URL(shop.base).origin}/internal/v1/attributed-totals?limit=1${since === null ? '' : `&since=${since}`}${
          through === null ? '' : `&through=${through}`
        }${from}`,
        { headers: { authorization: `Bearer ${internalSecret}` } },
      );
      const page = attributedTotalsSchema.parse(await response.json());
      pages.push(...page.campaigns.map(({ campaignId }) => campaignId));
      return page;
    };
    let differing = await compared({ all: true, totals: inPages });
    for (let round = 0; differing !== null && round < 100; round += 1) {
      expect(differing).to.equal(0);
      differing = await compareRevenue(deps({ totals: inPages }));
    }
    expect(differing, 'it ends').to.equal(null);
    expect(pages).to.include.members(sends.map(({ campaignId }) => campaignId));
    expect(new Set(pages).size).to.equal(pages.length);
    expect(await readRevenueFigures(outreach)).to.include({ differences: 0 });
  });

  it('differs where the order service knows of nothing, as the look at all of them finds', async () => {
    const send = await sent();
    await compared({ all: true });
    await rows(
      outreach,
      `insert into campaign_revenue
         (tenant_id, campaign_id, message_index, action_index, currency, orders, paid_minor, refunded_minor, compared_at)
       values (:tenantId, :campaignId, 0, 0, 'EUR', 1, 500, 0, now() - interval '1 day')`,
      { tenantId, campaignId: send.campaignId },
    );
    expect(await compared()).to.equal(0);
    expect(await compared({ all: true })).to.equal(1);
    await rows(outreach, 'delete from campaign_revenue where campaign_id = :campaignId', {
      campaignId: send.campaignId,
    });
    expect(await compared()).to.equal(0);
    expect(await readRevenueFigures(outreach)).to.include({ differences: 0 });
  });

  it('is compared as of one entry, whatever is paid meanwhile', async () => {
    const send = await sent();
    await paid(send, 5);
    await rows(outreach, `update revenue_position set compared_at = now() - interval '2 hours'`, {});
    const totals: AttributionFeed['totals'] = async (page) => {
      const said = await feed.totals(page);
      await paid(send, 6);
      return said;
    };
    expect(await compareRevenue(deps({ totals }))).to.equal(0);
    await readRevenue(deps());
    expect((await revenueOf(send))?.totals[0]).to.include({ orders: 2, net: 11 });
  });

  it('is read although it cannot be compared', async () => {
    const send = await sent();
    await paid(send, 7);
    await rows(outreach, `update revenue_position set compared_at = now() - interval '2 hours'`, {});
    const reader = createRevenueReader(deps({ totals: () => Promise.reject(new Error('canceling statement')) }));
    const running = reader.run();
    await eventually('it is read', async () => (await revenueOf(send))?.totals[0]?.net === 7);
    reader.shutdown();
    await running;
    expect(await compared()).to.equal(0);
  });

  it('leaves out campaigns that are gone, and whose orders go on', async () => {
    const send = await sent();
    await paid(send, 3);
    await readRevenue(deps());
    const before = await firstRow<{ position: number }>(outreach, 'select position from revenue_position', {});
    const gone = { ...send, campaignId: '0197c1d2-7a10-7c3e-9a54-3f1de2a6b001' };
    await paid(gone, 4);
    expect(await readRevenue(deps())).to.equal(true);
    expect(await compared()).to.equal(0);
    const after = await firstRow<{ position: number }>(outreach, 'select position from revenue_position', {});
    expect(after?.position).to.be.greaterThan(before?.position ?? 0);
  });
});
