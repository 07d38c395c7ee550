import { aiOperations } from '#domain/api/ai.ts';
import { IDEMPOTENCY_HEADER, isAnsweredOnce } from '#domain/api/idempotency.ts';
import { frontendOperations } from '#domain/api/index.ts';
import type { AnyOperation } from '#domain/api/operation.ts';
import { expect } from 'chai';
import { addressOf, createClient } from './client.ts';
import { type Operations, operations } from './operations.ts';
import { ApiProblem, readPlain } from './problem.ts';
import { orderRoutes } from './order-operations.ts';
import { writtenRoutes } from './precompute-operations.ts';
import { readRoutes, takesKey } from './route.ts';

interface Sent {
  url: string;
  init: RequestInit;
}

function clientOf(responses: Response[], more: { token?: string; renewed?: boolean; online?: boolean } = {}) {
  const sent: Sent[] = [];
  const client = createClient<Operations>({
    routes: operations,
    read: readPlain,
    fetch: (input, init = {}) => {
      sent.push({ url: String(input), init });
      const response = responses.shift();
      return response ? Promise.resolve(response) : Promise.reject(new TypeError('refused'));
    },
    takesKey,
    token: () => more.token ?? null,
    isOnline: () => more.online ?? true,
    onUnreachable: () => {},
    onUnauthorized: () => Promise.resolve(more.renewed ?? false),
  });
  return { client, sent };
}

const json = (body: unknown, init: ResponseInit = {}) => new Response(JSON.stringify(body), init);

async function problemFrom(promise: Promise<unknown>): Promise<ApiProblem> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof ApiProblem) return error;
    throw error;
  }
  throw new Error('The call succeeded');
}

describe('client', () => {
  it('fills in paths and leaves out empty filters', () => {
    const address = addressOf(operations.resolveSubTask, { params: { id: 'a/b', key: 'k 1' } });
    expect(address).to.equal('/api/v1/campaigns/a%2Fb/tasks/k%201:resolve');
    const query = { q: '', status: undefined, limit: 50 };
    expect(addressOf(operations.listCampaigns, { query })).to.equal('/api/v1/campaigns?limit=50');
  });

  it('sends the given input and returns the body', async () => {
    const { client, sent } = clientOf([json({ id: 'c1' }, { status: 200, headers: { etag: '"2"' } })], {
      token: 'tok',
    });
    const { response, headers } = await client.exchange('updateCampaign', {
      params: { id: 'c1' },
      headers: { 'if-match': '"1"' },
      body: { name: 'New' },
    });
    expect(response.id).to.equal('c1');
    expect(headers.get('etag')).to.equal('"2"');
    const headersSent = new Headers(sent[0]?.init.headers);
    expect(headersSent.get('if-match')).to.equal('"1"');
    expect(headersSent.get('authorization')).to.equal('Bearer tok');
    expect(sent[0]?.init.body).to.equal('{"name":"New"}');
  });

  it('turns error responses into problems with their request id', async () => {
    const body = { code: 'stale', status: 412, title: 't', detail: 'd', requestId: 'r1', errors: [] };
    const { client } = clientOf([json(body, { status: 412 })]);
    const problem = await problemFrom(client.call('getMe'));
    expect(problem).to.deep.include({ code: 'stale', detail: 'd', requestId: 'r1' });
  });

  it('gives responses of proxies, and missing responses, codes of their own', async () => {
    const { client } = clientOf([new Response('<html>', { status: 502, headers: { 'x-request-id': 'r2' } })]);
    expect(await problemFrom(client.call('getMe'))).to.deep.include({ code: 'unavailable', requestId: 'r2' });
    expect(await problemFrom(client.call('getMe'))).to.deep.include({ code: 'network', status: 0 });
  });

  it('retries a call once after a new token has arrived', async () => {
    const renewed = clientOf([json({}, { status: 401 }), json({ userId: 'u' })], { renewed: true });
    expect((await renewed.client.call('getMe')).userId).to.equal('u');
    const rejected = clientOf([json({}, { status: 401 }), json({ userId: 'u' })]);
    expect((await problemFrom(rejected.client.call('getMe'))).code).to.equal('unauthorized');
    expect(rejected.sent).to.have.length(1);
  });

  it('reads the routes that the build writes', () => {
    for (const routes of [operations, orderRoutes]) expect(readRoutes(writtenRoutes(routes))).to.deep.equal(routes);
  });

  it('knows which operations take a key', () => {
    const all: Record<string, AnyOperation> = { ...frontendOperations, ...aiOperations };
    const takes = (operation: AnyOperation) =>
      isAnsweredOnce(operation) || IDEMPOTENCY_HEADER in (operation.headers?.shape ?? {});
    for (const [name, operation] of Object.entries(all))
      expect(takesKey(operations[name as keyof Operations]), name).to.equal(takes(operation));
  });

  it('gives what changes something a key, and nothing else', async () => {
    const { client, sent } = clientOf([json({ id: 'c' }), json({ id: 'c' }), json({}), json({}), json({})]);
    await client.call('duplicateCampaign', { params: { id: 'c' } });
    await client.call('duplicateCampaign', { params: { id: 'c' } });
    await client.call('previewAudience', {
      body: { serviceNumberId: 'sn' } as never,
      signal: new AbortController().signal,
    });
    await client.call('logout');
    await client.call('getMe');
    const keys = sent.map(({ init }) => new Headers(init.headers).get('idempotency-key'));
    expect(keys.map((key) => key !== null)).to.deep.equal([true, true, false, false, false]);
    expect(keys[0]).to.not.equal(keys[1]);
  });
});
