import { expect } from 'chai';
import { type FigureName, figureNames } from '#domain/campaigns/figures.ts';
import type { Overview } from '#domain/api/overview.ts';
import { insertContacts } from '#test/support/services/backend.ts';
import { seedSend } from '#test/support/outreach/rows.ts';
import { type Fact, insertOverviewFacts, type OverviewFacts } from '#test/support/outreach/overview-facts.ts';
import { useBackend } from '#test/support/fixtures/services.ts';

const HOUR = 3_600_000;
const from = Date.UTC(2026, 2, 8);
const to = from + 7 * 24 * HOUR;

describe('the overview', () => {
  const backend = useBackend();
  let sends: OverviewFacts['sends'];
  let facts: OverviewFacts['facts'];

  before(async () => {
    for (const tenant of ['a', 'b', 'new']) await backend.install(tenant);
    ({ sends, facts } = await insertOverviewFacts(backend, { tenants: ['a', 'b'], from, to }));
  });

  async function read(tenant: string, query: Record<string, string> = {}): Promise<Overview> {
    const search = new URLSearchParams({
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      ...query,
    });
    const response = await backend.call('GET', `/overview?${search.toString()}`, {
      token: await backend.token(tenant),
    });
    expect(response.status, JSON.stringify(response.body)).to.equal(200);
    return response.body as Overview;
  }

  const of = (list: Fact[], tenant: string, sn?: string) =>
    list.filter((fact) => fact.tenant === tenant && (sn === undefined || fact.sn === sn));
  const between = (list: Fact[], start: number, end: number) => list.filter(({ at }) => at >= start && at < end);
  const sum = (list: Fact[]) => list.reduce((total, { delivered }) => total + delivered, 0);
  const people = (list: Fact[]) => new Set(list.map(({ contact }) => contact)).size;

  for (const tenant of ['a', 'b']) {
    for (const sn of [undefined, 'sn-1', 'sn-2']) {
      it(`sums up the rows: tenant ${tenant}, ${sn ?? 'every service number'}`, async () => {
        const { figures, series } = await read(tenant, sn === undefined ? {} : { serviceNumberId: sn });
        const length = to - from;
        const figure = (list: Fact[], measure: (facts: Fact[]) => number) => ({
          current: measure(between(of(list, tenant, sn), from, to)),
          previous: measure(between(of(list, tenant, sn), from - length, from)),
        });
        const count = (list: Fact[]) => list.length;
        expect(figures).to.deep.equal({
          delivered: figure(facts.tasks, sum),
          clickedContacts: figure(facts.clicks, people),
          conversationsOpened: figure(facts.sessions, count),
          conversions: figure(facts.conversions, count),
        });
        const days = Array.from({ length: 7 }, (_, day) => from + day * 24 * HOUR);
        expect(series).to.deep.equal({
          unit: 'day',
          timeZone: 'UTC',
          items: days.map((day) => ({
            at: new Date(day).toISOString(),
            delivered: sum(between(of(facts.tasks, tenant, sn), day, day + 24 * HOUR)),
            clicks: between(of(facts.clicks, tenant, sn), day, day + 24 * HOUR).length,
          })),
        });
      });
    }
  }

  it('links each figure to the campaigns that contribute to it', async () => {
    const behind: Record<FigureName, Fact[]> = {
      delivered: facts.tasks.filter(({ delivered }) => delivered > 0),
      clickedContacts: facts.clicks,
      conversationsOpened: facts.sessions,
      conversions: facts.conversions,
    };
    const token = await backend.token('a');
    const listed = async (had: FigureName, end: number): Promise<string[]> => {
      const query = new URLSearchParams({ had, from: new Date(from).toISOString(), to: new Date(end).toISOString() });
      const { body } = await backend.call('GET', `/campaigns?${query.toString()}`, { token });
      return body.items.map(({ id }: { id: string }) => id).toSorted();
    };
    for (const had of figureNames) {
      for (const hours of [1, 4, 7 * 24]) {
        const end = from + hours * HOUR;
        const adding = between(of(behind[had], 'a'), from, end);
        const expected = [...new Set(adding.map(({ campaignId }) => campaignId))].toSorted();
        expect(await listed(had, end), `${had} of ${hours} hours`).to.deep.equal(expected);
      }
    }
  });

  it('counts days in the requested time zone', async () => {
    const start = from - 8 * HOUR;
    const { series } = await read('a', {
      from: new Date(start).toISOString(),
      to: new Date(start + 7 * 24 * HOUR).toISOString(),
      timeZone: 'Asia/Taipei',
    });
    expect(series.timeZone).to.equal('Asia/Taipei');
    const days = Array.from({ length: 7 }, (_, day) => start + day * 24 * HOUR);
    expect(series.items.map(({ at, clicks }) => [Date.parse(at), clicks])).to.deep.equal(
      days.map((day) => [day, between(of(facts.clicks, 'a'), day, day + 24 * HOUR).length]),
    );
  });

  it('shows hours for short periods, including empty ones', async () => {
    const end = from + 90 * 60_000;
    const { series } = await read('a', { to: new Date(end).toISOString() });
    expect(series.unit).to.equal('hour');
    expect(series.items.map(({ at }) => Date.parse(at))).to.deep.equal([from, from + HOUR]);
    const clicks = series.items.reduce((total, item) => total + item.clicks, 0);
    expect(clicks).to.equal(between(of(facts.clicks, 'a'), from, end).length);
  });

  it('shows the last campaigns with their funnels', async () => {
    const { lastCampaigns } = await read('a', { serviceNumberId: 'sn-1' });
    const own = sends.filter(({ tenantId, sn }) => tenantId === 'a' && sn === 'sn-1').toReversed();
    expect(lastCampaigns.map(({ campaignId }) => campaignId)).to.deep.equal(own.map(({ campaignId }) => campaignId));
    for (const { campaignId, funnel } of lastCampaigns) {
      const mine = (list: Fact[]) => list.filter((fact) => fact.campaignId === campaignId);
      expect(funnel).to.deep.equal({
        audience: 13,
        sent: 1500,
        delivered: sum(mine(facts.tasks)),
        read: 3,
        clickedContacts: people(mine(facts.clicks)),
        conversations: mine(facts.sessions).length,
        conversions: mine(facts.conversions).length,
      });
    }
  });

  it('lists what needs a person, for this tenant only', async () => {
    const quiet = { count: 0, items: [] };
    const nothing = {
      unknownSubTasks: quiet,
      sentTwice: quiet,
      revenueDiffers: quiet,
      pausedCampaigns: quiet,
      waitingSends: quiet,
      failedEvents: quiet,
      stuckCampaigns: quiet,
      refusedSources: quiet,
    };
    expect((await read('a')).attention).to.deep.equal(nothing);
    const old = new Date(Date.now() - HOUR);
    const unknown = await seedSend(backend.db, 'a', { chunks: [4] });
    await backend
      .db('broadcast_task')
      .where({ key: unknown.keys[0] })
      .update({ status: 'unknown', submitting_since: old });
    const paused = await seedSend(backend.db, 'a', { chunks: [1] });
    await backend
      .db('campaign')
      .where({ campaign_id: paused.campaignId })
      .update({ status: 'paused', pause_reason: 'late' });
    const unsent = await seedSend(backend.db, 'a', { chunks: [1, 1] });
    await backend.db('campaign').where({ campaign_id: unsent.campaignId }).update({ updated_at: old });
    await backend.db('broadcast_task').where({ campaign_id: unsent.campaignId }).update({ created_at: old });
    const unasked = await seedSend(backend.db, 'a', { chunks: [1] });
    await backend
      .db('broadcast_task')
      .where({ campaign_id: unasked.campaignId })
      .update({ status: 'sending', next_poll_at: old });
    const moving = await seedSend(backend.db, 'a', { chunks: [1] });
    await backend.db('broadcast_task').where({ campaign_id: moving.campaignId }).update({ created_at: old });
    const paced = await seedSend(backend.db, 'a', { chunks: [1, 1] });
    await backend
      .db('campaign')
      .where({ campaign_id: paced.campaignId })
      .update({ updated_at: old, pace: { perMinute: 10 }, next_claim_at: new Date(Date.now() + HOUR) });
    await backend.db('broadcast_task').where({ campaign_id: paced.campaignId }).update({ created_at: old });
    const tested = await seedSend(backend.db, 'a', { chunks: [1] });
    await backend.db('campaign').where({ campaign_id: tested.campaignId }).update({ updated_at: old });
    await backend.db('broadcast_task').where({ campaign_id: tested.campaignId }).update({ created_at: old, arm: 5 });
    const event = {
      tenant_integration_id: 'ti-a',
      tenant_id: 'a',
      event_type: 'notice.clicked',
      service_number_id: 'sn-1',
      partition: 0,
      payload: '{}',
      occurred_at: old,
      status: 'failed',
      error: 'why',
    };
    await backend.db('event_inbox').insert(Array.from({ length: 25 }, (_, n) => ({ ...event, event_id: `f-${n}` })));

    const { attention } = await read('a', { serviceNumberId: 'sn-1' });
    expect(attention.unknownSubTasks.items).to.deep.equal([
      {
        campaignId: unknown.campaignId,
        name: 'Spring',
        serviceNumberId: 'sn-1',
        key: unknown.keys[0],
        contactCount: 4,
        reason: 'outcome_unknown',
        since: old.toISOString(),
      },
    ]);
    expect(attention.pausedCampaigns.items.map(({ campaignId, reason }) => [campaignId, reason])).to.deep.equal([
      [paused.campaignId, 'late'],
    ]);
    expect([attention.failedEvents.count, attention.failedEvents.items.length]).to.deep.equal([25, 20]);
    expect(attention.failedEvents.items[0]).to.include({ eventType: 'notice.clicked', error: 'why' });
    expect(new Map(attention.stuckCampaigns.items.map(({ campaignId, reason }) => [campaignId, reason]))).to.deep.equal(
      new Map([
        [unsent.campaignId, 'not_submitted'],
        [unasked.campaignId, 'not_polled'],
      ]),
    );
    expect((await read('a', { serviceNumberId: 'sn-2' })).attention).to.deep.equal(nothing);
    expect((await read('b')).attention).to.deep.equal(nothing);
  });

  it('checks off the first steps one by one', async () => {
    const first = {
      installed: true,
      contactsArriving: false,
      firstTag: false,
      firstCampaign: false,
      firstClick: false,
    };
    expect((await read('new')).checklist).to.deep.equal(first);
    await insertContacts(backend.db, 'new', 1);
    expect((await read('new')).checklist).to.deep.equal({ ...first, contactsArriving: true });
    expect((await read('a')).checklist).to.deep.equal({
      installed: true,
      contactsArriving: true,
      firstTag: true,
      firstCampaign: true,
      firstClick: true,
    });
  });

  it('rejects an invalid period, and callers without a token', async () => {
    const token = await backend.token('a');
    const status = async (query: string) => (await backend.call('GET', `/overview${query}`, { token })).status;
    expect(await status('')).to.equal(200);
    expect(await status('?from=yesterday')).to.equal(400);
    expect(await status('?timeZone=%2B08%3A00')).to.equal(400);
    expect(await status('?timeZone=Mars%2FCrater')).to.equal(400);
    expect(await status('?from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z')).to.equal(422);
    expect((await backend.call('GET', '/overview')).status).to.equal(401);
  });
});
