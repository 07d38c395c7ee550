import { expect } from 'chai';
import { createChatCompletions } from '#clients/ai/chat-completions.ts';
import { createHttpExchange } from '#clients/http/exchange.ts';
import { type ApiResponse, campaignBody, startBackend } from '#test/support/services/backend.ts';
import { cardsText } from '#test/support/doubles/chat-completions.ts';
import type { ApiLauncher } from '#api/backend/deps.ts';
import { createLauncher } from '#api/backend/launch.ts';
import { useOutreachWorker } from '#test/support/fixtures/outreach.ts';
import { useBackend } from '#test/support/fixtures/services.ts';
import { useCompletions } from '#test/support/fixtures/doubles.ts';
import { fixture } from '#test/support/fixtures/fixture.ts';

const apiKey = 'sk-secret-of-the-test';

describe('copywriting', () => {
  const provider = useCompletions();
  const exchange = fixture(() => {
    const value = createHttpExchange({ timeoutMs: 60_000, connections: 4 });
    return Promise.resolve({ value, close: () => value.close() });
  });
  const late: { launcher?: ApiLauncher } = {};
  const backend = useBackend({
    toolApiEnabled: true,
    aiConfigured: true,
    launcher: new Proxy({} as ApiLauncher, { get: (_, name) => Reflect.get(late.launcher ?? {}, name) }),
  });
  const database = fixture(() => Promise.resolve({ value: backend.db }));
  const worker = useOutreachWorker(database, () => ({
    deps: {
      textModel: createChatCompletions({ baseUrl: provider.baseUrl, apiKey, model: 'writer-1', exchange }),
    },
  }));
  let token: string;
  before(async () => {
    late.launcher = createLauncher(worker.client);
    for (const tenant of ['a', 'b']) await backend.install(tenant);
    token = await backend.token('a');
  });
  beforeEach(() => {
    provider.calls.length = 0;
    provider.behave(() => ({ text: cardsText('Spring', 'Summer', 'Autumn') }));
  });

  const write = (body: object, as = token): Promise<ApiResponse> =>
    backend.call('POST', '/ai/copywriting', { token: as, body });
  const newest = () => backend.db('copywriting').orderBy('created_at', 'desc').first();

  it('S0-FL9: returns drafts that a campaign accepts unchanged; the model gets the brief and the sender', async () => {
    const { status, body } = await write({ brief: 'Spring tea', serviceNumberId: 'sn-1', count: 2 });
    expect([status, body.drafts.length]).to.deep.equal([200, 2]);
    expect(body.drafts[0]).to.deep.equal({
      type: 'buttons',
      title: 'Spring',
      text: 'About Spring',
      actions: [{ type: 'Postback', label: 'Have a look' }],
    });
    expect(provider.calls[0]?.body.messages[1]?.content)
      .to.include('"brief":"Spring tea"')
      .and.include('"sender":"Main"');
    const created = await backend.call('POST', '/campaigns', { token, body: campaignBody({ messages: body.drafts }) });
    expect(created.status).to.equal(201);
    const row = await newest();
    expect(row).to.include({ tenantId: 'a', requestedBy: 'user-of-a', status: 'written', error: null });
    const audited = await backend.db('audit_log').where({ object_id: row.copywritingId });
    expect(audited).to.have.length(1);
    expect(audited[0]).to.deep.include({
      tenantId: 'a',
      actor: 'user-of-a',
      action: 'copywriting.request',
      before: null,
      after: { serviceNumberId: 'sn-1', drafts: 2 },
    });
  });

  it('S0-FL9: runs as a workflow that people can find and read; its history contains ids, but no brief, text or key', async () => {
    await write({ brief: 'A brief of its own kind' });
    const { copywritingId: id } = await newest();
    const handle = worker.client.workflow.getHandle(`copywriting:${id}`);
    const described = await handle.describe();
    expect([described.type, described.taskQueue, described.status.name]).to.deep.equal([
      'aiCopywriting',
      'outreach',
      'COMPLETED',
    ]);
    expect(described.searchAttributes).to.deep.include({ TenantId: ['a'], BizStatus: ['WRITTEN'] });
    expect(await described.staticSummary()).to.equal('Writes drafts of a card');
    const history = JSON.stringify(await handle.fetchHistory(), (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value,
    );
    expect(history).to.include(id).and.not.include('of its own kind').and.not.include('About Spring');
    expect(history).to.not.include(apiKey);
  });

  it('retries three times in all if the provider fails or writes no card, and then reports it', async () => {
    provider.behave((_, count) => (count < 3 ? { status: 503 } : { text: cardsText('Third') }));
    expect((await write({ brief: 'x' })).body.drafts[0].title).to.equal('Third');
    for (const reply of [{ status: 429 }, { text: 'I would rather not' }]) {
      provider.calls.length = 0;
      provider.behave(() => reply);
      const { status, body, headers } = await write({ brief: 'x' });
      expect([status, body.code]).to.deep.equal([503, 'unavailable']);
      expect(headers.get('retry-after')).to.match(/^\d+$/);
      expect(provider.calls).to.have.length(3);
      expect(await newest()).to.include({ status: 'failed', failure: 'failed', drafts: null });
    }
  });

  it('rejects what the provider rejects, and reports wrong configuration to staff, without retrying', async () => {
    for (const [reply, expected] of [
      [{ status: 400 }, [422, 'invalid_content']],
      [{ status: 401 }, [409, 'invalid_state']],
    ] as const) {
      provider.calls.length = 0;
      provider.behave(() => reply);
      const { status, body } = await write({ brief: 'x' });
      expect([status, body.code]).to.deep.equal(expected);
      expect(JSON.stringify(body)).to.not.include(apiKey);
      expect(provider.calls).to.have.length(1);
    }
  });

  it('rejects an invalid brief, and viewers', async () => {
    for (const body of [{}, { brief: ' ' }, { brief: 'x', count: 6 }, { brief: 'x', url: 'javascript:1' }])
      expect((await write(body)).body.code).to.equal('invalid_request');
    expect((await write({ brief: 'x' }, await backend.token('a', 'viewer'))).status).to.equal(403);
    expect(provider.calls).to.deep.equal([]);
  });

  it('keeps tenants apart: the name of another tenant’s service number is not used', async () => {
    await backend
      .db('service_number_catalog')
      .where({ tenant_id: 'a', service_number_id: 'sn-2' })
      .update({ name: 'Secret' });
    await write({ brief: 'x', serviceNumberId: 'sn-2' }, await backend.token('b'));
    expect(provider.calls[0]?.body.messages[1]?.content).to.be.a('string').and.not.include('Secret');
  });
});

describe('copywriting while it is not available', () => {
  it('says what to set if no provider is configured, and phase_2 while the Tool API is disabled', async () => {
    for (const [more, status, code, detail] of [
      [{ toolApiEnabled: true }, 409, 'invalid_state', /AI_BASE_URL.*AI_MODEL.*AI_API_KEY/],
      [{ toolApiEnabled: false, aiConfigured: true }, 404, 'phase_2', /TOOL_API_ENABLED/],
    ] as const) {
      const backend = await startBackend(more);
      try {
        await backend.install('a');
        const token = await backend.token('a');
        const { body } = await backend.call('POST', '/ai/copywriting', { token, body: { brief: 'x' } });
        expect([body.status, body.code]).to.deep.equal([status, code]);
        expect(body.detail).to.match(detail);
        expect(backend.flows.written).to.deep.equal([]);
        expect(await backend.db('copywriting')).to.deep.equal([]);
      } finally {
        await backend.close();
      }
    }
  });
});
