import { expect } from 'chai';
import { useTwoTenants } from '#test/support/fixtures/services.ts';
import { closeEndedCampaign } from '#commands/outreach/sends/close-campaign.ts';
import type { CallOptions } from '#test/support/services/backend.ts';
import { card } from '#test/support/outreach/variant-sends.ts';

describe('automations', () => {
  const backend = useTwoTenants({ contacts: 3, automationsPerTenant: 30 });
  const start = new Date('2026-11-26T12:00:00Z');
  let tokens = { operator: '', second: '', admin: '', viewer: '', foreign: '' };
  async function travel(now: Date): Promise<void> {
    backend.setNow(now);
    tokens = {
      operator: await backend.token('a'),
      second: await backend.token('a', 'marketing_operator', 'second'),
      admin: await backend.token('a', 'tenant_admin', 'ada'),
      viewer: await backend.token('a', 'viewer', 'vera'),
      foreign: await backend.token('b'),
    };
  }
  beforeEach(() => travel(start));
  after(() => backend.setNow(null));

  const call = (method: string, path: string, options: CallOptions = {}) =>
    backend.call(method, path, { token: tokens.operator, ...options });
  const post = (path: string, body?: unknown, options: CallOptions = {}) =>
    call('POST', path, { ...options, ...(body === undefined ? {} : { body }) });
  const bodyOf = (more: object = {}) => ({
    name: 'Welcome',
    serviceNumberId: 'sn-1',
    trigger: { event: 'contact.followed' },
    steps: [{ messages: [card('Hello')] }],
    ...more,
  });
  const create = async (more: object = {}) => {
    const created = await post('/automations', bodyOf(more));
    expect(created.status, JSON.stringify(created.body)).to.equal(201);
    return created.body;
  };
  const pathsOf = async (more: object) => {
    const { status, body } = await post('/automations', bodyOf(more));
    return [status, ...(body.errors ?? []).map(({ path }: { path: string }) => path)];
  };
  const two = [{ messages: [card('Hello')] }, { messages: [card('Again')], delay: { minutes: 60 }, if: 'not_clicked' }];

  it('are shown with all that was written, and with what was not', async () => {
    const created = await create({
      steps: two,
      utm: { source: 'line' },
      quietHours: { from: '22:00', to: '08:00', zone: 'Asia/Taipei' },
    });
    expect(created).to.deep.include({
      name: 'Welcome',
      serviceNumberId: 'sn-1',
      trigger: { event: 'contact.followed' },
      filter: null,
      delay: { minutes: 0 },
      steps: [
        { ...two[0], messagesBy: null, delay: null, if: null },
        { ...two[1], messagesBy: null },
      ],
      entry: 'once',
      maxPerDay: null,
      exitOn: null,
      endsAt: null,
      holdoutPercent: null,
      channels: ['default'],
      revenueWindowDays: null,
      status: 'draft',
      pauseReason: null,
      endReason: null,
      approval: null,
      activatedAt: null,
      counts: { entered: 0, waiting: 0, sent: 0, skipped: 0, unknown: 0 },
    });
    const path = `/automations/${created.automationId}`;
    expect((await call('GET', path)).body).to.deep.equal(created);
    const same = await call('PATCH', path, { body: created });
    expect([same.status, same.body]).to.deep.equal([200, created]);
    expect((await call('GET', path, { token: tokens.foreign })).status).to.equal(404);
    expect((await call('GET', `/campaigns/${created.automationId}`)).status).to.equal(404);
    const { items } = (await call('GET', '/campaigns?limit=200')).body;
    expect(items.map(({ id }: { id: string }) => id)).not.to.include(created.automationId);
  });

  it('are listed newest first, by service number, status and name', async () => {
    const one = await create({ name: 'Birthday one' });
    const other = await create({ name: 'Birthday two' });
    const ids = async (query: string) =>
      (await call('GET', `/automations?${query}`)).body.items.map(
        (item: { automationId: string }) => item.automationId,
      );
    expect(await ids('q=birthday')).to.deep.equal([other.automationId, one.automationId]);
    expect(await ids('q=birthday&limit=1')).to.deep.equal([other.automationId]);
    await post(`/automations/${one.automationId}:activate`);
    expect(await ids('q=birthday&status=active')).to.deep.equal([one.automationId]);
    expect(await ids('q=birthday&serviceNumberId=sn-9')).to.deep.equal([]);
  });

  it('get the quiet hours of the tenant, unless they say their own or none', async () => {
    const settings = (quietHours: object | null) =>
      call('PATCH', '/tenant-settings', { token: tokens.admin, body: { quietHours } });
    const quietHours = { from: '21:00', to: '09:00', zone: 'Asia/Taipei' };
    await settings(quietHours);
    const { automationId, quietHours: given } = await create();
    expect(given).to.deep.equal(quietHours);
    expect((await create({ quietHours: 'none' })).quietHours).to.equal(null);
    expect((await create({ quietHours: { ...quietHours, to: '08:00' } })).quietHours.to).to.equal('08:00');
    await settings(null);
    const changed = await call('PATCH', `/automations/${automationId}`, { body: { quietHours: 'none' } });
    expect(changed.body.quietHours).to.equal(null);
  });

  it('are refused with the place of what cannot be', async () => {
    expect(await pathsOf({ serviceNumberId: 'sn-9' })).to.deep.equal([422, '/serviceNumberId']);
    expect(await pathsOf({ trigger: { event: 'tag.assigned', tagId: 'none' } })).to.deep.equal([422, '/trigger/tagId']);
    expect(await pathsOf({ trigger: { event: 'notice.clicked', campaignIds: ['none'] } })).to.deep.equal([
      422,
      '/trigger/campaignIds/0',
    ]);
    expect(await pathsOf({ trigger: { event: 'order.paid', minAmount: 5 } })).to.deep.equal([422, '/trigger/currency']);
    const segment = { event: 'segment.entered', segment: { tag: 'none' }, every: 'day' };
    expect(await pathsOf({ trigger: segment })).to.deep.equal([422, '/trigger/segment/tag']);
    expect(await pathsOf({ endsAt: '2026-11-26T11:59:59Z' })).to.deep.equal([422, '/endsAt']);
    expect(await pathsOf({ filter: { tag: 'none' } })).to.deep.equal([422, '/filter/tag']);
    expect(await pathsOf({ exitOn: { all: [{ tag: 'none' }] } })).to.deep.equal([422, '/exitOn/all/0/tag']);
    const first = { messages: [card('A')], delay: { minutes: 1 }, if: 'clicked' };
    expect(await pathsOf({ steps: [first] })).to.deep.equal([422, '/steps/0/delay', '/steps/0/if']);
    expect(await pathsOf({ steps: [{ messages: [card('A')] }, { messages: [card('B')] }] })).to.deep.equal([
      422,
      '/steps/1/delay',
    ]);
    const six = Array.from({ length: 6 }, () => two[1]);
    for (const more of [{ steps: [] }, { steps: six }, { trigger: { event: 'x' } }, { delay: { minutes: 129_601 } }])
      expect((await pathsOf(more))[0]).to.equal(400);
  });

  it('go from draft to active, paused and ended, and nowhere else', async () => {
    const { automationId } = await create();
    const path = `/automations/${automationId}`;
    const moves = async (...names: string[]) => {
      const statuses: unknown[] = [];
      for (const name of names) statuses.push((await post(`${path}:${name}`)).status);
      return statuses;
    };
    expect((await post(`${path}:activate`, undefined, { token: tokens.viewer })).status).to.equal(403);
    expect(await moves('pause', 'resume', 'end')).to.deep.equal([409, 409, 409]);
    const activated = await post(`${path}:activate`);
    expect([activated.status, activated.body.status, activated.body.activatedAt]).to.deep.equal([
      200,
      'active',
      start.toISOString(),
    ]);
    expect(backend.flows.driven).to.include('sn-1');
    expect(await moves('activate', 'resume')).to.deep.equal([409, 409]);
    expect((await call('DELETE', path)).status).to.equal(409);
    const paused = await post(`${path}:pause`);
    expect([paused.body.status, paused.body.pauseReason]).to.deep.equal(['paused', 'operator']);
    expect(await moves('activate', 'pause')).to.deep.equal([409, 409]);
    await travel(new Date(start.getTime() + 60_000));
    const resumed = await post(`${path}:resume`);
    expect([resumed.body.status, resumed.body.pauseReason]).to.deep.equal(['active', null]);
    expect(resumed.body.activatedAt).to.equal(start.toISOString());
    const ended = await post(`${path}:end`);
    expect([ended.status, ended.body.status, ended.body.endReason]).to.deep.equal([200, 'ended', 'operator']);
    expect(backend.flows.closed).to.include(automationId);
    expect(await moves('activate', 'pause', 'resume', 'end')).to.deep.equal([409, 409, 409, 409]);
    const actions = await backend
      .db('audit_log')
      .where({ object_id: automationId })
      .orderBy('audit_id')
      .pluck('action');
    expect(actions).to.deep.equal(['create', 'activate', 'pause', 'resume', 'end'].map((verb) => `automation.${verb}`));
  });

  it('are deleted as drafts alone, of the version that was read', async () => {
    const { automationId, etag } = await create();
    const path = `/automations/${automationId}`;
    await call('PATCH', path, { body: { name: 'Other' } });
    expect((await call('DELETE', path, { headers: { 'If-Match': etag } })).status).to.equal(412);
    expect((await call('DELETE', path)).status).to.equal(204);
    expect((await call('GET', path)).status).to.equal(404);
    expect(await backend.db('campaign').where({ campaign_id: automationId })).to.deep.equal([]);
  });

  it('change as far as their state lets them', async () => {
    const { automationId } = await create({ steps: two });
    const path = `/automations/${automationId}`;
    const patch = (body: object) => call('PATCH', path, { body });
    expect((await patch({ serviceNumberId: 'sn-2' })).body.errors[0].path).to.equal('/serviceNumberId');
    expect((await patch({ trigger: { event: 'contact.entered' }, entry: { afterDays: 3 } })).status).to.equal(200);
    await post(`${path}:activate`);
    expect((await patch({ entry: 'every' })).status).to.equal(409);
    expect((await patch({ steps: [two[0], { ...two[1], delay: { minutes: 61 } }] })).status).to.equal(409);
    expect((await patch({ steps: [two[0]] })).status).to.equal(409);
    const texts = [{ messages: [card('New')] }, { ...two[1], messages: [card('Newer')] }];
    const changed = await patch({ steps: texts, maxPerDay: 5, endsAt: '2027-01-01T00:00:00Z', name: 'Hello' });
    expect(changed.status).to.equal(200);
    expect(changed.body.steps[1].messages).to.deep.equal([card('Newer')]);
    expect(changed.body).to.deep.include({ name: 'Hello', maxPerDay: 5, endsAt: '2027-01-01T00:00:00.000Z' });
    expect((await patch({ maxPerDay: null })).body.maxPerDay).to.equal(null);
    expect((await patch({ endsAt: '2026-01-01T00:00:00Z' })).status).to.equal(422);
    await post(`${path}:end`);
    expect((await patch({ maxPerDay: 7 })).status).to.equal(409);
    expect((await patch({ name: 'Was hello' })).body.name).to.equal('Was hello');
  });

  it('end by themselves once their end has passed', async () => {
    const { automationId } = await create({ endsAt: '2026-11-26T13:00:00Z' });
    await post(`/automations/${automationId}:activate`);
    const key = { tenantId: 'a', campaignId: automationId };

    expect(await closeEndedCampaign(backend.db, key, new Date('2026-11-26T12:59:00Z'))).to.equal(false);
    expect(await closeEndedCampaign(backend.db, key, new Date('2026-11-26T13:00:00Z'))).to.equal(true);
    const { body } = await call('GET', `/automations/${automationId}`);
    expect([body.status, body.endReason]).to.deep.equal(['ended', 'ends_at']);
  });

  it('are no more than a tenant may have, ended ones aside', async () => {
    const { items } = (await call('GET', '/automations?limit=200')).body;
    const open = items.filter(({ status }: { status: string }) => status !== 'ended').length;
    for (let more = open; more < 30; more += 1) await create({ name: 'One of many' });
    const refused = await post('/automations', bodyOf());
    expect([refused.status, refused.body.code]).to.deep.equal([422, 'invalid_content']);
    for (const { automationId, name } of (await call('GET', '/automations?limit=200')).body.items)
      if (name === 'One of many') await call('DELETE', `/automations/${automationId}`);
  });

  describe('where sends need approval', () => {
    const settings = (sendsNeedApproval: number | null) =>
      call('PATCH', '/tenant-settings', { token: tokens.admin, body: { sendsNeedApproval } });
    beforeEach(() => settings(1000));
    afterEach(() => settings(null));

    it('begin once somebody else has approved them', async () => {
      const { automationId } = await create();
      const path = `/automations/${automationId}`;
      const asked = await post(`${path}:activate`);
      expect([asked.status, asked.body.status]).to.deep.equal([202, 'draft']);
      const { approvalId } = asked.body.approval;
      expect((await post(`${path}:activate`)).status).to.equal(409);
      expect((await call('PATCH', path, { body: { name: 'Changed' } })).status).to.equal(409);
      expect((await call('DELETE', path)).status).to.equal(409);
      expect((await post(`${path}:approve`, { approvalId })).body.code).to.equal('own_request');
      expect((await post(`${path}:withdraw`, { approvalId }, { token: tokens.second })).status).to.equal(403);
      const rejected = await post(`${path}:reject`, { approvalId, reason: 'Not yet' }, { token: tokens.second });
      expect([rejected.body.status, rejected.body.approval.outcome]).to.deep.equal(['draft', 'rejected']);
      const again = (await post(`${path}:activate`)).body.approval;
      await travel(new Date(start.getTime() + 5000));
      const approved = await post(`${path}:approve`, { approvalId: again.approvalId }, { token: tokens.second });
      expect([approved.body.status, approved.body.activatedAt]).to.deep.equal([
        'active',
        new Date(start.getTime() + 5000).toISOString(),
      ]);
      expect((await post(`${path}:approve`, { approvalId }, { token: tokens.second })).status).to.equal(409);
    });

    it('wait again for new messages, and for nothing else', async () => {
      const { automationId } = await create();
      const path = `/automations/${automationId}`;
      const { approvalId } = (await post(`${path}:activate`)).body.approval;
      await post(`${path}:approve`, { approvalId }, { token: tokens.second });
      expect((await call('PATCH', path, { body: { name: 'Other' } })).body.status).to.equal('active');
      const changed = (await call('PATCH', path, { body: { steps: [{ messages: [card('New')] }] } })).body;
      expect([changed.status, changed.pauseReason, changed.approval.outcome]).to.deep.equal([
        'paused',
        'approval',
        null,
      ]);
      expect((await post(`${path}:resume`)).status).to.equal(409);
      const approved = await post(
        `${path}:approve`,
        { approvalId: changed.approval.approvalId },
        { token: tokens.second },
      );
      expect(approved.body.status).to.equal('active');
    });
  });
});
