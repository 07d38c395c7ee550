import { expect } from 'chai';
import { campaignBody } from '#test/support/services/backend.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';

describe('smart tag rules', () => {
  const backend = useTwoTenants({ contacts: 3 });
  let tagId: string;
  before(async () => {
    tagId = await createTag('Target');
  });

  const createTag = async (name: string, more: object = {}): Promise<string> => {
    const body = { name, serviceNumberId: 'sn-1', kind: 'permanent', ...more };
    return (await backend.call('POST', '/tags', { body })).body.tagId;
  };
  const bought = { field: 'bizEventCode', op: 'eq', value: 'buy' };
  const body = (more: object = {}) => ({
    name: 'Buyers',
    triggerEvent: 'notice.clicked',
    matchCondition: bought,
    targetTagId: tagId,
    status: 'active',
    ...more,
  });
  const create = (more: object = {}, as = backend.operator) =>
    backend.call('POST', '/smart-tag-rules', { token: as, body: body(more) });
  const patch = (ruleId: string, change: object) =>
    backend.call('PATCH', `/smart-tag-rules/${ruleId}`, { body: change });
  const now = Date.now();
  const at = (days: number) => new Date(now + days * 86_400_000).toISOString();

  it('CRUD /smart-tag-rules: creates, reads, lists, changes and deletes rules', async () => {
    const created = await create();
    expect(created.status, JSON.stringify(created.body)).to.equal(201);
    const { ruleId } = created.body;
    expect(created.body).to.deep.include({ ...body(), version: 1, hitCount: 0, lastExecutedAt: null, days: null });
    expect(created.body).to.deep.include({ campaignName: null });
    expect(created.body.targetTag).to.deep.equal({
      serviceNumberId: 'sn-1',
      name: 'Target',
      kind: 'permanent',
      color: null,
      expiresAt: null,
      archived: false,
    });
    expect((await backend.call('GET', `/smart-tag-rules/${ruleId}`)).body).to.deep.equal(created.body);
    expect((await backend.call('GET', `/tags/${tagId}`)).body.source).to.equal('app_smart');
    expect((await patch(ruleId, { status: 'paused' })).body).to.include({ status: 'paused', version: 1 });
    const gone = await backend.call('DELETE', `/smart-tag-rules/${ruleId}`);
    expect(gone.status).to.equal(204);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { body: {} } : {};
      const response = await backend.call(method, `/smart-tag-rules/${ruleId}`, body);
      expect(response.status, method).to.equal(404);
    }
  });

  it('keeps every definition as a version that stays readable, even after the rule is deleted', async () => {
    const { ruleId } = (await create()).body;
    expect((await patch(ruleId, body())).body.version).to.equal(1);
    const changed = await patch(ruleId, {
      triggerEvent: 'no_response_for_N_days',
      days: 3,
      matchCondition: { all: [] },
    });
    expect(changed.body).to.deep.include({ version: 2, days: 3 });
    expect((await patch(ruleId, { triggerEvent: 'session.closed' })).body).to.include({ version: 3, days: null });
    await backend.call('DELETE', `/smart-tag-rules/${ruleId}`);
    const first = await backend.call('GET', `/smart-tag-rules/${ruleId}/versions?limit=2`);
    expect(first.body.items.map((item: { version: number }) => item.version)).to.deep.equal([3, 2]);
    const cursor = String(first.body.nextCursor);
    const second = await backend.call('GET', `/smart-tag-rules/${ruleId}/versions?cursor=${cursor}`);
    expect(second.body.items).to.have.length(1);
    expect(second.body.items[0]).to.deep.include({
      version: 1,
      matchCondition: bought,
      createdBy: 'user-of-a',
      createdByName: 'Ada',
    });
    expect(second.body.nextCursor).to.equal(null);
  });

  it('rejects malformed (400) and impossible definitions (422), with their path', async () => {
    const otherTag = await createTag('Other number', { serviceNumberId: 'sn-2' });
    const archived = await createTag('Archived');
    await backend.call('DELETE', `/tags/${archived}`);
    const campaign = await backend.call('POST', '/campaigns', { body: campaignBody() });
    const campaignId = String(campaign.body.id);
    const cases: [number, string, object][] = [
      [400, '/days', { triggerEvent: 'no_response_for_N_days' }],
      [400, '/days', { days: 2 }],
      [400, '/days', { triggerEvent: 'no_response_for_N_days', days: 0 }],
      [400, '/matchCondition', { matchCondition: { field: 'x', op: 'eq', value: 'y' } }],
      [400, '/triggerEvent', { triggerEvent: 'contact.entered' }],
      [400, '/status', { status: 'archived' }],
      [422, '/targetTagId', { targetTagId: 'nobody' }],
      [422, '/targetTagId', { targetTagId: archived }],
      [422, '/campaignId', { campaignId: 'nobody' }],
      [422, '/campaignId', { campaignId, targetTagId: otherTag }],
    ];
    for (const [status, path, more] of cases) {
      const response = await create(more);
      expect([response.status, response.body.errors?.[0]?.path], JSON.stringify(more)).to.deep.equal([status, path]);
    }
    const limited = await create({ campaignId });
    expect(limited.body.campaignId).to.equal(campaignId);
    expect((await patch(limited.body.ruleId, { targetTagId: otherTag })).status).to.equal(422);
    expect((await patch(limited.body.ruleId, { days: 3 })).status).to.equal(422);
    expect((await patch(limited.body.ruleId, { campaignId: null, targetTagId: otherTag })).status).to.equal(200);
  });

  it('lists newest first, filtered, page by page', async () => {
    const target = await createTag('Listed');
    const ids: string[] = [];
    for (const status of ['active', 'paused', 'active'])
      ids.unshift((await create({ targetTagId: target, status })).body.ruleId);
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await backend.call('GET', `/smart-tag-rules?targetTagId=${target}&limit=2${cursor}`);
      seen.push(...page.body.items.map((item: { ruleId: string }) => item.ruleId));
      cursor = page.body.nextCursor === null ? '' : `&cursor=${page.body.nextCursor}`;
    } while (cursor !== '');
    expect(seen).to.deep.equal(ids);
    const paused = await backend.call('GET', `/smart-tag-rules?targetTagId=${target}&status=paused`);
    expect(paused.body.items).to.have.length(1);
    const elsewhere = await backend.call('GET', '/smart-tag-rules?serviceNumberId=sn-9');
    expect(elsewhere.body.items).to.deep.equal([]);
  });

  it('backtest: returns an empty period, and rejects one before the 90 days or with start and end swapped (422)', async () => {
    const { ruleId } = (await create()).body;
    const backtest = (period: object) => backend.call('POST', `/smart-tag-rules/${ruleId}:backtest`, { body: period });
    const empty = await backtest({ from: at(-89), to: at(0) });
    expect(empty.body).to.deep.equal({ events: 0, contacts: 0, contactIds: [] });
    const early = await backtest({ from: at(-91), to: at(0) });
    expect([early.status, early.body.errors[0].path]).to.deep.equal([422, '/from']);
    expect((await backtest({ from: at(0), to: at(-1) })).status).to.equal(422);
    expect((await backtest({ from: at(0) })).status).to.equal(400);
  });

  it('responds 404 to another tenant and 403 to a viewer who writes, and writes an audit row for each change', async () => {
    const { ruleId } = (await create()).body;
    const path = `/smart-tag-rules/${ruleId}`;
    for (const [method, rest, sent] of [
      ['GET', ''],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', ''],
      ['GET', '/versions'],
      ['POST', ':backtest', {}],
    ] as const) {
      const response = await backend.call(method, `${path}${rest}`, { token: backend.foreign, body: sent });
      expect(response.status, `${method} ${rest}`).to.equal(404);
    }
    expect((await create({}, backend.foreign)).body.errors[0].path).to.equal('/targetTagId');
    const viewer = await backend.token('a', 'viewer');
    expect((await create({}, viewer)).status).to.equal(403);
    expect((await backend.call('GET', path, { token: viewer })).status).to.equal(200);
    await patch(ruleId, { name: 'Renamed' });
    await backend.call('DELETE', path);
    const audit = await backend.db('audit_log').where({ object_id: ruleId }).orderBy('audit_id');
    expect(audit.map(({ action }) => action)).to.deep.equal([
      'smart_tag_rule.create',
      'smart_tag_rule.update',
      'smart_tag_rule.delete',
    ]);
  });

  it('are as many as a tenant may have, and their patterns no longer together than an event may cost', async () => {
    const foreignTag = async () => {
      const tag = { name: 'Theirs', serviceNumberId: 'sn-1', kind: 'permanent' };
      return (await backend.call('POST', '/tags', { token: backend.foreign, body: tag })).body.tagId as string;
    };
    const targetTagId = await foreignTag();
    const patterns = (count: number) => ({
      any: Array.from({ length: count }, () => ({ field: 'url', op: 'glob', value: `*${'?'.repeat(499)}` })),
    });
    const long = await create({ targetTagId, matchCondition: patterns(98) }, backend.foreign);
    expect(long.status, 'a rule that is as long as one may be').to.equal(201);
    const more = await create({ targetTagId, matchCondition: patterns(98) }, backend.foreign);
    expect([more.status, more.body.errors]).to.deep.equal([
      422,
      [
        {
          path: '/matchCondition',
          code: 'patterns_too_long',
          message: 'makes the patterns of all rules too long together',
        },
      ],
    ]);
    const short = await create({ targetTagId }, backend.foreign);
    const patched = await backend.call('PATCH', `/smart-tag-rules/${short.body.ruleId}`, {
      token: backend.foreign,
      body: { matchCondition: patterns(98) },
    });
    expect(patched.body.errors[0].code).to.equal('patterns_too_long');
    const rule = await backend.db('smart_tag_rule').where({ rule_id: short.body.ruleId }).first();
    const others = Array.from({ length: 195 }, (_, n) => ({
      ...rule,
      ruleId: `other-${n}`,
      matchCondition: JSON.stringify(rule.matchCondition),
    }));
    await backend.db('smart_tag_rule').insert(others);
    const made = await Promise.all(Array.from({ length: 5 }, () => create({ targetTagId }, backend.foreign)));
    expect(made.filter(({ status }) => status === 201)).to.have.length(3);
    expect(made.filter(({ status, body: { code } }) => status === 422 && code === 'invalid_content')).to.have.length(2);
    const rules = await backend.db('smart_tag_rule').where({ tenant_id: 'b', removed_at: null });
    expect(rules).to.have.length(200);
  });
});
