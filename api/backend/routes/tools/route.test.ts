import { expect } from 'chai';
import { z } from 'zod';
import {
  type ApiResponse,
  campaignBody,
  contactId,
  INTERNAL_SECRET,
  insertContacts,
  startBackend,
  type TestBackend,
} from '#test/support/services/backend.ts';
import { toolNames } from '#domain/api/tools.ts';
import { createToolTokens } from './token.ts';
import { useBackend } from '#test/support/fixtures/services.ts';

interface ManifestTool {
  name: string;
  description: string;
  path: string;
  readOnly: boolean;
  inputSchema: { type: string; properties: Record<string, unknown>; required?: string[] };
}

describe('the Tool API', () => {
  const backend = useBackend({ toolApiEnabled: true });
  let tools: string;
  let foreign: string;

  const grant = (platformTenantId: string, more: object = {}) =>
    backend.service('POST', '/service-tokens', {
      platformTenantId,
      tools: toolNames,
      actor: { type: 'service', name: 'crm' },
      ...more,
    });
  const tool = async (name: string, body: unknown, token: string | undefined = tools) => {
    const response = await fetch(`${backend.base}/tools/v1/${name}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'Content-Type': 'application/json', ...(token === '' ? {} : { Authorization: `Bearer ${token}` }) },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as ApiResponse['body'] };
  };

  before(async () => {
    for (const tenant of ['a', 'b']) await backend.install(tenant);
    await insertContacts(backend.db, 'a', 5);
    await insertContacts(backend.db, 'b', 2);
    tools = (await grant('a')).body.token;
    foreign = (await grant('b')).body.token;
  });

  it('describes its tools so that a model can call them', async () => {
    const { status, body } = await tool('manifest', undefined);
    expect(status).to.equal(200);
    const described: ManifestTool[] = body.tools;
    expect(described.map(({ name }) => name)).to.deep.equal([
      'query_metrics',
      'draft_campaign',
      'dispatch_campaign',
      'resolve_audience',
      'list_tags',
    ]);
    for (const { name, description, path, inputSchema } of described) {
      expect(path).to.equal(`/tools/v1/${name}`);
      expect(description.length).to.be.greaterThan(40);
      expect(inputSchema.type).to.equal('object');
    }
    const writing = described.filter(({ readOnly }) => !readOnly).map(({ name }) => name);
    expect(writing).to.deep.equal(['draft_campaign', 'dispatch_campaign']);
    const draft = described.find(({ name }) => name === 'draft_campaign')?.inputSchema;
    expect(draft?.required).to.include.members(['name', 'serviceNumberId', 'audience', 'schedule']);
    // One of them.
    expect(draft?.properties).to.include.keys('messages', 'messagesBy');
    expect(draft?.required).not.to.include('channels');
  });

  it('accepts what a model builds from the schemas alone, and shows it no dead end', async () => {
    const described: ManifestTool[] = (await tool('manifest', undefined)).body.tools;
    const made: Record<string, unknown> = {
      query_metrics: { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' },
      draft_campaign: campaignBody(),
      dispatch_campaign: { campaignId: 'x', expectedReachableCount: 1 },
      resolve_audience: { serviceNumberId: 'sn-1', audience: { type: 'contacts', contactIds: ['x'] } },
      list_tags: {},
    };
    for (const { name, inputSchema } of described) {
      const schema = z.fromJSONSchema(inputSchema as Parameters<typeof z.fromJSONSchema>[0]);
      expect(schema.safeParse(made[name]).success, name).to.equal(true);
      expect((await tool(name, made[name])).body.code, name).to.not.equal('invalid_request');
      expect(JSON.stringify(inputSchema)).to.not.match(/ai_query|"tagIds"|\$ref/);
    }
  });

  it('drafts, resolves, sends and measures like the console', async () => {
    const audience = { type: 'contacts', contactIds: [1, 2, 3, 9].map(contactId) };
    const resolved = await tool('resolve_audience', { serviceNumberId: 'sn-1', audience, limit: 2 });
    expect(resolved.body).to.deep.equal({
      hitCount: 4,
      reachableCount: 3,
      excluded: { expiredTags: 0, unsubscribed: 0, unreachable: 1, controlGroup: 0 },
      contactIds: [contactId(1), contactId(2)],
    });
    const draft = await tool('draft_campaign', campaignBody({ audience } as object));
    expect([draft.status, draft.body.status, draft.body.createdBy]).to.deep.equal([201, 'draft', 'service:crm']);
    const campaignId = draft.body.id;

    const wrong = await tool('dispatch_campaign', { campaignId, expectedReachableCount: 4 });
    expect([wrong.status, wrong.body.code]).to.deep.equal([409, 'audience_changed']);
    const request = { campaignId, expectedReachableCount: 3, idempotencyKey: 'k' };
    const responses = [await tool('dispatch_campaign', request), await tool('dispatch_campaign', request)];
    for (const sent of responses) expect([sent.status, sent.body.status]).to.deep.equal([202, 'sending']);
    expect(backend.flows.sends.map((send) => [send.tenantId, send.campaignId])).to.deep.equal([['a', campaignId]]);
    expect(await backend.db('broadcast_task').where({ campaign_id: campaignId })).to.have.length(1);
    const audit = await backend.db('audit_log').where({ object_id: campaignId }).orderBy('audit_id');
    expect(audit.map(({ actor, action }) => [actor, action])).to.deep.equal([
      ['service:crm', 'campaign.create'],
      ['service:crm', 'campaign.send'],
    ]);

    const { results } = (await tool('query_metrics', { campaignId })).body.campaign;
    expect([results.audienceCount, results.subTasks]).to.deep.equal([3, { pending: { tasks: 1, contacts: 3 } }]);
    const { period } = (await tool('query_metrics', {})).body;
    expect(period.figures.delivered).to.deep.equal({ current: 0, previous: 0 });

    const token = await backend.token('a');
    const body = { name: 'Keen', serviceNumberId: 'sn-1', kind: 'permanent' };
    const { tagId } = (await backend.call('POST', '/tags', { token, body })).body;
    const listed = (await tool('list_tags', {})).body.items;
    expect(listed.map((item: { tagId: string }) => item.tagId)).to.deep.equal([tagId]);
  });

  it('is limited to the tenant of its token', async () => {
    const draft = await tool('draft_campaign', campaignBody());
    const campaignId = draft.body.id;
    const dispatch = { campaignId, expectedReachableCount: 2 };
    expect((await tool('dispatch_campaign', dispatch, foreign)).body.code).to.equal('not_found');
    expect((await tool('query_metrics', { campaignId }, foreign)).body.code).to.equal('not_found');
    expect((await tool('list_tags', {}, foreign)).body.items).to.deep.equal([]);
    const audience = { type: 'contacts', contactIds: [1, 2, 3].map(contactId) };
    const { body } = await tool('resolve_audience', { serviceNumberId: 'sn-1', audience }, foreign);
    expect([body.reachableCount, body.contactIds.length]).to.deep.equal([2, 2]);
  });

  it('treats ids of another tenant as unknown, and changes nothing there', async () => {
    const owner = await backend.token('a');
    const create = async (path: string, body: object): Promise<ApiResponse['body']> =>
      (await backend.call('POST', path, { token: owner, body })).body;
    const kept = { serviceNumberId: 'sn-1', name: 'Kept' };
    const { tagId } = await create('/tags', { ...kept, kind: 'permanent' });
    const { audienceId } = await create('/audiences', { ...kept, type: 'contacts', contactIds: [contactId(1)] });
    const { id: campaignId } = await create('/campaigns', campaignBody());
    const before = await backend.db('campaign').count().first();
    const byTag = (id: string) => ({ type: 'app_tags', appTagIds: [id], tagOperator: 'AND' });
    const byList = (id: string) => ({ type: 'contacts', audienceId: id });
    for (const [name, asked] of [
      ['query_metrics', (id: string) => ({ campaignId: id || campaignId })],
      ['dispatch_campaign', (id: string) => ({ campaignId: id || campaignId, expectedReachableCount: 2 })],
      ['resolve_audience', (id: string) => ({ serviceNumberId: 'sn-1', audience: byTag(id || tagId) })],
      ['resolve_audience', (id: string) => ({ serviceNumberId: 'sn-1', audience: byList(id || audienceId) })],
      ['draft_campaign', (id: string) => campaignBody({ audience: byTag(id || tagId) } as object)],
    ] as const) {
      const [theirs, nobodys] = [await tool(name, asked(''), foreign), await tool(name, asked('nobodys'), foreign)];
      expect([theirs.status, theirs.body.code], name).to.deep.equal([nobodys.status, nobodys.body.code]);
      expect(theirs.status, name).to.be.oneOf([404, 422]);
      expect(JSON.stringify(theirs.body)).to.not.include('Kept');
    }
    expect((await tool('list_tags', {}, foreign)).body.items).to.deep.equal([]);
    expect(await backend.db('campaign').count().first()).to.deep.equal(before);
    expect(await backend.db('campaign').where({ campaign_id: campaignId }).first()).to.include({ status: 'draft' });
  });

  it('checks in order: caller, the token’s tools, existence, well-formedness, rules', async () => {
    expect((await tool('list_tags', {}, '')).status).to.equal(401);
    expect((await tool('list_tags', {}, await backend.token('a'))).status).to.equal(401);
    expect((await backend.call('GET', '/tags', { token: tools })).status).to.equal(401);
    const narrow = (await grant('a', { tools: ['list_tags'] })).body.token;
    expect((await tool('draft_campaign', {}, narrow)).status).to.equal(403);
    expect((await tool('list_tags', {}, narrow)).status).to.equal(200);
    expect((await tool('manifest', undefined, narrow)).body.tools).to.have.length(1);
    expect((await tool('ai_copywriting', {}, '')).status).to.equal(401);
    expect((await tool('ai_copywriting', {})).body.code).to.equal('not_found');
    expect((await tool('draft_campaign', { name: '' })).body.code).to.equal('invalid_request');
    const aiQuery = campaignBody({ audience: { type: 'ai_query' } } as object);
    expect((await tool('draft_campaign', aiQuery)).body.code).to.equal('invalid_content');
    const backwards = { from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' };
    expect((await tool('query_metrics', backwards)).body.code).to.equal('invalid_content');
  });

  it('issues tokens only to services, for installed tenants, until they expire', async () => {
    expect((await grant('nobody')).status).to.equal(403);
    expect((await grant('a', { tools: ['rm'] })).status).to.equal(400);
    const person = await backend.token('a');
    const asked = await backend.call('POST', '/service-tokens', { token: person, body: { platformTenantId: 'a' } });
    expect(asked.status).to.equal(401);
    const before = Date.now();
    const { token, expiresAt } = (await grant('a', { ttlSeconds: 200 })).body;
    expect(Date.parse(expiresAt)).to.be.within(before + 199_000, Date.now() + 200_000);
    backend.setNow(new Date(Date.now() + 202_000));
    expect((await tool('list_tags', {}, token)).status).to.equal(401);
    backend.setNow(null);
    expect((await tool('list_tags', {}, token)).status).to.equal(200);
    await backend.service('POST', '/tenant-integrations/ti-b:uninstall', {});
    expect((await tool('list_tags', {}, foreign)).status).to.equal(403);
  });

  it('gives no token without tools or without who asks, and none for longer than an hour', async () => {
    const ask = (body: object) => backend.service('POST', '/service-tokens', { platformTenantId: 'a', ...body });
    const asked = { tools: ['list_tags'], actor: { type: 'service', name: 'crm' } };
    const issued = () => backend.db('tool_token').count().first();
    const before = await issued();
    for (const wrong of [{ tools: undefined }, { tools: [] }, { actor: undefined }, { ttlSeconds: 3601 }])
      expect((await ask({ ...asked, ...wrong })).body.code, JSON.stringify(wrong)).to.equal('invalid_request');
    expect(await issued()).to.deep.equal(before);
    const { expiresAt } = (await ask(asked)).body;
    expect(Date.parse(expiresAt) - Date.now()).to.be.within(3_500_000, 3_600_000);
  });

  it('refuses a token that was revoked, and no other', async () => {
    const [one, other] = [(await grant('a')).body, (await grant('a')).body];
    const revoke = (tokenId: string, platformTenantId = 'a') =>
      backend.service('POST', `/service-tokens/${tokenId}:revoke`, { platformTenantId });
    expect((await revoke(one.tokenId, 'b')).status).to.equal(404);
    expect((await tool('list_tags', {}, one.token)).status).to.equal(200);
    for (const _ of [1, 2]) expect((await revoke(one.tokenId)).status).to.equal(204);
    expect((await tool('list_tags', {}, one.token)).status).to.equal(401);
    expect((await tool('list_tags', {}, other.token)).status).to.equal(200);
    expect((await revoke('nobodys')).status).to.equal(404);
    const person = await backend.token('a');
    const path = `/service-tokens/${other.tokenId}:revoke`;
    const asked = await backend.call('POST', path, { token: person, body: { platformTenantId: 'a' } });
    expect(asked.status).to.equal(401);
  });

  it('acts in the name of the person or system that asked, with what a person may do now', async () => {
    await backend.token('a', 'marketing_operator', 'mia');
    await backend.token('a', 'viewer', 'vic');
    const of = async (actor: object, tools: string[] = [...toolNames]) => grant('a', { actor, tools });
    const mia = (await of({ type: 'user', userId: 'mia' })).body.token;
    const crm = (await of({ type: 'service', name: 'crm-copilot' })).body.token;
    const authors: string[] = [];
    for (const token of [mia, crm]) {
      const { body } = await tool('draft_campaign', campaignBody(), token);
      const entry = await backend.db('audit_log').where({ object_id: body.id }).first();
      authors.push(body.createdBy, entry.actor);
    }
    expect(authors).to.deep.equal(['mia', 'mia', 'service:crm-copilot', 'service:crm-copilot']);

    expect((await of({ type: 'user', userId: 'vic' })).status).to.equal(403);
    expect((await of({ type: 'user', userId: 'nobody' })).status).to.equal(403);
    expect((await of({ type: 'user', userId: 'service:crm' })).status).to.equal(400);
    const vic = (await of({ type: 'user', userId: 'vic' }, ['list_tags'])).body.token;
    expect((await tool('list_tags', {}, vic)).status).to.equal(200);

    const drafts = () => backend.db('campaign').where({ tenant_id: 'a' }).count().first();
    const before = await drafts();
    await backend.token('a', 'viewer', 'mia');
    expect((await tool('draft_campaign', campaignBody(), mia)).status).to.equal(403);
    expect((await tool('list_tags', {}, mia)).status).to.equal(200);
    expect(await drafts()).to.deep.equal(before);
  });
});

describe('the Tool API while it is disabled', () => {
  let backend: TestBackend;
  before(async () => {
    backend = await startBackend();
    await backend.install('a');
  });

  it('S0-R12: responds phase_2 to everything, with and without a token', async () => {
    const body = { platformTenantId: 'a', tools: ['list_tags'] };
    const rejected = await backend.service('POST', '/service-tokens', body);
    expect([rejected.status, rejected.body.code, rejected.body.token]).to.deep.equal([404, 'phase_2', undefined]);
    // Issued while it was enabled.
    const { token } = await createToolTokens([INTERNAL_SECRET], () => new Date()).issue(
      { tenantId: 'a', tokenId: 't', tools: ['list_tags'] },
      600,
    );
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/'],
      ['GET', '/manifest'],
      ['POST', '/list_tags'],
      ['POST', '/dispatch_campaign'],
      ['GET', '/anything/else'],
    ] as const) {
      for (const headers of [undefined, { Authorization: `Bearer ${token}` }]) {
        const response = await fetch(`${backend.base}/tools/v1${path}`, { method, ...(headers ? { headers } : {}) });
        expect([response.status, ((await response.json()) as ApiResponse['body']).code], path).to.deep.equal([
          404,
          'phase_2',
        ]);
      }
    }
  });
});
