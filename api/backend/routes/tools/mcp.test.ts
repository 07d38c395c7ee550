import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'chai';
import { toolNames } from '#domain/api/tools.ts';
import { campaignBody, contactId, insertContacts } from '#test/support/services/backend.ts';
import { useBackend } from '#test/support/fixtures/services.ts';

type Content = { type: string; text: string }[];

describe('the tools by the Model Context Protocol', () => {
  const backend = useBackend({ toolApiEnabled: true });
  const open: Client[] = [];
  before(async () => {
    await backend.install('a');
    await backend.install('b');
    await insertContacts(backend.db, 'a', 5);
  });
  after(() => Promise.all(open.map((client) => client.close())));

  const grant = async (more: object = {}, platformTenantId = 'a') => {
    const body = { platformTenantId, tools: toolNames, actor: { type: 'service', name: 'crm' }, ...more };
    const { status, body: granted } = await backend.service('POST', '/service-tokens', body);
    expect(status).to.equal(200);
    return granted as { token: string; tokenId: string };
  };
  /** The official client. */
  async function connected(token: string): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${backend.base}/mcp`), { requestInit }));
    open.push(client);
    return client;
  }
  const call = async (client: Client, name: string, given: object) => {
    const result = await client.callTool({ name, arguments: { ...given } });
    const [content] = result.content as Content;
    return {
      isError: result.isError ?? false,
      body: JSON.parse(content?.text ?? 'null'),
      shown: result.structuredContent,
    };
  };
  const post = (headers: Record<string, string>, body: unknown = { jsonrpc: '2.0', id: 1, method: 'tools/list' }) =>
    fetch(`${backend.base}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify(body),
    });
  const audience = { type: 'contacts', contactIds: [1, 2, 3].map(contactId) };

  it('are those of the token, as its manifest has them', async () => {
    const { token } = await grant();
    const client = await connected(token);
    const { tools } = await client.listTools();
    const response = await fetch(`${backend.base}/tools/v1/manifest`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const manifest = (await response.json()) as { tools: { name: string; description: string; inputSchema: object }[] };
    const named = ({ name, description, inputSchema }: (typeof manifest.tools)[number]) => ({
      name,
      description,
      inputSchema,
    });
    expect(tools.map((tool) => named({ description: '', ...tool }))).to.deep.equal(manifest.tools.map(named));
    expect(tools.find(({ name }) => name === 'dispatch_campaign')?.annotations).to.deep.equal({
      readOnlyHint: false,
      destructiveHint: true,
    });
    const narrow = await connected((await grant({ tools: ['list_tags'] })).token);
    expect((await narrow.listTools()).tools.map(({ name }) => name)).to.deep.equal(['list_tags']);
  });

  it('draft, resolve and send as they do by HTTP, in the same audit log', async () => {
    const client = await connected((await grant()).token);
    const resolved = await call(client, 'resolve_audience', { serviceNumberId: 'sn-1', audience });
    expect(resolved).to.deep.include({ isError: false });
    expect(resolved.body.reachableCount).to.equal(3);
    expect(resolved.shown).to.deep.equal(resolved.body);
    const draft = await call(client, 'draft_campaign', campaignBody({ audience } as object));
    const campaignId: string = draft.body.id;
    const sent = await call(client, 'dispatch_campaign', {
      campaignId,
      expectedReachableCount: 3,
      idempotencyKey: 'k',
    });
    expect(sent.body.status).to.equal('sending');
    expect(backend.flows.sends.map((send) => send.campaignId)).to.deep.equal([campaignId]);
    expect(await backend.db('broadcast_task').where({ campaign_id: campaignId })).to.have.length(1);
    const audit = await backend.db('audit_log').where({ object_id: campaignId }).orderBy('audit_id');
    expect(audit.map(({ actor, action }) => [actor, action])).to.deep.equal([
      ['service:crm', 'campaign.create'],
      ['service:crm', 'campaign.send'],
    ]);
  });

  it('refuse in their result what the Tool API refuses, and note it as that does', async () => {
    const client = await connected((await grant()).token);
    const before = await backend.db('campaign').count().first();
    const wrong = await call(client, 'draft_campaign', { name: 'x' });
    expect([wrong.isError, wrong.body.code]).to.deep.equal([true, 'invalid_request']);
    expect(wrong.body.errors.map(({ path }: { path: string }) => path)).to.include('/serviceNumberId');
    const unknown = await call(client, 'dispatch_campaign', { campaignId: 'nobodys', expectedReachableCount: 1 });
    expect([unknown.isError, unknown.body.code]).to.deep.equal([true, 'not_found']);
    const narrow = await connected(
      (await grant({ tools: ['list_tags'], actor: { type: 'service', name: 'narrow' } })).token,
    );
    const denied = await call(narrow, 'draft_campaign', campaignBody());
    expect([denied.isError, denied.body.code]).to.deep.equal([true, 'forbidden']);
    expect(await backend.db('campaign').count().first()).to.deep.equal(before);
    await backend.refusals.close();
    const noted = await backend.db('audit_log').where({ action: 'access.refuse', actor: 'service:narrow' }).first();
    expect(noted.objectId).to.equal('POST /tools/v1/draft_campaign');
    const nothing = await client
      .callTool({ name: 'drop_tables', arguments: {} })
      .catch((error: Error) => error.message);
    expect(nothing).to.contain('There is no tool drop_tables');
  });

  it('reach the tenant of the token alone', async () => {
    const own = await connected((await grant()).token);
    const foreign = await connected((await grant({}, 'b')).token);
    const { body } = await call(own, 'draft_campaign', campaignBody({ audience } as object));
    const asked = await call(foreign, 'query_metrics', { campaignId: body.id });
    expect([asked.isError, asked.body.code]).to.deep.equal([true, 'not_found']);
  });

  it('show a person with a list of service numbers what is of those alone', async () => {
    await backend.token('a', 'marketing_operator', 'mia');
    const admin = await backend.token('a', 'tenant_admin', 'ada');
    const tag = { name: 'Keen', serviceNumberId: 'sn-1', kind: 'permanent' };
    expect((await backend.call('POST', '/tags', { token: admin, body: tag })).status).to.equal(201);
    const mia = await connected((await grant({ actor: { type: 'user', userId: 'mia' } })).token);
    const names = async () => (await call(mia, 'list_tags', {})).body.items.map(({ name }: { name: string }) => name);
    expect(await names()).to.deep.equal(['Keen']);
    const body = { serviceNumberIds: [] };
    expect((await backend.call('PUT', '/users/mia/service-numbers', { token: admin, body })).status).to.equal(200);
    expect(await names()).to.deep.equal([]);
  });

  it('are refused without a token, with another or a revoked one, to pages, and by another method', async () => {
    const { token, tokenId } = await grant();
    const authorized = { authorization: `Bearer ${token}` };
    const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code];
    expect((await post(authorized)).status).to.equal(200);
    expect(await codeOf(await post({}))).to.deep.equal([401, 'unauthorized']);
    const person = await backend.token('a', 'tenant_admin');
    expect(await codeOf(await post({ authorization: `Bearer ${person}` }))).to.deep.equal([401, 'unauthorized']);
    expect(await codeOf(await post({ ...authorized, origin: 'https://evil.example' }))).to.deep.equal([
      403,
      'forbidden',
    ]);
    expect(await codeOf(await post(authorized, [1, 2]))).to.deep.equal([400, 'invalid_request']);
    expect(await codeOf(await post({ ...authorized, 'content-encoding': 'gzip' }))).to.deep.equal([
      415,
      'unsupported_media_type',
    ]);
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(`${backend.base}/mcp`, { method, headers: authorized });
      expect([response.status, response.headers.get('allow')], method).to.deep.equal([405, 'POST']);
    }
    await backend.service('POST', `/service-tokens/${tokenId}:revoke`, { platformTenantId: 'a' });
    expect(await codeOf(await post(authorized))).to.deep.equal([401, 'unauthorized']);
  });
});

describe('the Model Context Protocol while tools are disabled', () => {
  const backend = useBackend();

  it('responds phase_2 to every method', async () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await fetch(`${backend.base}/mcp`, { method });
      expect([response.status, ((await response.json()) as { code: string }).code]).to.deep.equal([404, 'phase_2']);
    }
  });
});
