import { expect } from 'chai';
import {
  type Answer,
  campaignBody,
  contactId,
  insertContacts,
  startBackend,
  type TestBackend,
} from '../../../../test/support/backend.ts';

interface ManifestTool {
  name: string;
  description: string;
  path: string;
  readOnly: boolean;
  inputSchema: { type: string; properties: Record<string, unknown>; required?: string[] };
}

describe('the Tool API', () => {
  let backend: TestBackend;
  let tools: string;
  let foreign: string;

  const grant = (platformTenantId: string, more: object = {}) =>
    backend.service('POST', '/service-tokens', { platformTenantId, ...more });
  const tool = async (name: string, body: unknown, token: string | undefined = tools) => {
    const response = await fetch(`${backend.base}/tools/v1/${name}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'Content-Type': 'application/json', ...(token === '' ? {} : { Authorization: `Bearer ${token}` }) },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };

  before(async () => {
    backend = await startBackend({ toolApiEnabled: true });
    for (const tenant of ['a', 'b']) await backend.install(tenant);
    await insertContacts(backend.db, 'a', 5);
    await insertContacts(backend.db, 'b', 2);
    tools = (await grant('a')).body.token;
    foreign = (await grant('b')).body.token;
  });
  after(() => backend.close());

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
    expect(draft?.required).to.include.members(['name', 'serviceNumberId', 'messages', 'audience', 'schedule']);
    expect(draft?.required).not.to.include('channels');
  });

  it('drafts, resolves, sends and measures as the console does', async () => {
    const audience = { type: 'contacts', contactIds: [1, 2, 3, 9].map(contactId) };
    const resolved = await tool('resolve_audience', { serviceNumberId: 'sn-1', audience, limit: 2 });
    expect(resolved.body).to.deep.equal({
      hitCount: 4,
      reachableCount: 3,
      excluded: { expiredTags: 0, unsubscribed: 0, unreachable: 1 },
      contactIds: [contactId(1), contactId(2)],
    });
    const draft = await tool('draft_campaign', campaignBody({ audience } as object));
    expect([draft.status, draft.body.status, draft.body.createdBy]).to.deep.equal([201, 'draft', 'service:tool-api']);
    const campaignId = draft.body.id;

    const wrong = await tool('dispatch_campaign', { campaignId, expectedReachableCount: 4 });
    expect([wrong.status, wrong.body.code]).to.deep.equal([409, 'audience_changed']);
    const request = { campaignId, expectedReachableCount: 3, idempotencyKey: 'k' };
    const answers = [await tool('dispatch_campaign', request), await tool('dispatch_campaign', request)];
    for (const sent of answers) expect([sent.status, sent.body.status]).to.deep.equal([202, 'sending']);
    expect(backend.flows.sends.map((send) => [send.tenantId, send.campaignId])).to.deep.equal([['a', campaignId]]);
    expect(await backend.db('broadcast_task').where({ campaign_id: campaignId })).to.have.length(1);
    const audit = await backend.db('audit_log').where({ object_id: campaignId }).orderBy('audit_id');
    expect(audit.map(({ actor, action }) => [actor, action])).to.deep.equal([
      ['service:tool-api', 'campaign.create'],
      ['service:tool-api', 'campaign.send'],
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

  it('keeps to the tenant of its token', async () => {
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

  it('refuses in order: who, what the token names, what is there, what is well-formed, what a rule refuses', async () => {
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

  it('gives tokens to services alone, for installed tenants, until they expire', async () => {
    expect((await grant('nobody')).status).to.equal(403);
    expect((await grant('a', { tools: ['rm'] })).status).to.equal(400);
    const person = await backend.token('a');
    const asked = await backend.call('POST', '/service-tokens', { token: person, body: { platformTenantId: 'a' } });
    expect(asked.status).to.equal(401);
    const { token, expiresAt } = (await grant('a', { ttlSeconds: 60 })).body;
    expect(Date.parse(expiresAt)).to.be.within(Date.now() + 55_000, Date.now() + 61_000);
    backend.setNow(new Date(Date.now() + 62_000));
    expect((await tool('list_tags', {}, token)).status).to.equal(401);
    backend.setNow(null);
    expect((await tool('list_tags', {}, token)).status).to.equal(200);
    await backend.service('POST', '/tenant-integrations/ti-b:uninstall', {});
    expect((await tool('list_tags', {}, foreign)).status).to.equal(403);
  });
});

describe('the Tool API while it is off', () => {
  let backend: TestBackend;
  before(async () => {
    backend = await startBackend();
    await backend.install('a');
  });
  after(() => backend.close());

  it('S0-R12: answers phase_2 to everything, with and without a token', async () => {
    const { token } = (await backend.service('POST', '/service-tokens', { platformTenantId: 'a' })).body;
    for (const [method, path] of [
      ['GET', 'manifest'],
      ['POST', 'list_tags'],
      ['POST', 'dispatch_campaign'],
      ['GET', 'anything/else'],
    ] as const) {
      for (const headers of [undefined, { Authorization: `Bearer ${token}` }]) {
        const response = await fetch(`${backend.base}/tools/v1/${path}`, { method, ...(headers ? { headers } : {}) });
        expect([response.status, ((await response.json()) as Answer['body']).code], path).to.deep.equal([
          404,
          'phase_2',
        ]);
      }
    }
  });
});
