import { type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { expect } from 'chai';
import { responseOf, installed, startTestBff } from '#test/support/services/bff.ts';
import { hasDotSegment } from './forward.ts';
import { useBff } from '#test/support/fixtures/services.ts';
import { useHttpServer } from '#test/support/fixtures/doubles.ts';

describe('forwarding', () => {
  const orders = useHttpServer((request, response) => ordersResponse(request, response));
  const bff = useBff(() => ({ ordersUrl: orders.url }));
  let tenantId: string;
  let ordersResponse: (request: IncomingMessage, response: ServerResponse) => void;
  before(async () => {
    tenantId = (await installed(bff)).platformTenantId;
  });
  beforeEach(() => {
    bff.backend.behave(() => null);
    bff.backend.calls.length = 0;
  });

  async function call(
    method: string,
    path: string,
    options: { roles?: string[]; headers?: Record<string, string>; body?: string } = {},
  ) {
    const token = await bff.identity.token({
      tenantId,
      roles: options.roles ?? ['tenant_admin'],
      sub: `u-${options.roles}`,
    });
    const response = await fetch(`${bff.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...options.headers },
      ...(options.body === undefined ? {} : { body: options.body }),
    });
    return { token, ...(await responseOf(response)) };
  }

  it('sends method, path, query, body and the relevant headers to the backend, with its own token', async () => {
    const result = await call('PATCH', '/api/v1/campaigns/c-1?x=%2F%20y', {
      headers: {
        'if-match': '"7"',
        'idempotency-key': 'key-1',
        'content-type': 'application/json',
        'x-request-id': 'r.1:a',
        cookie: 'other=1',
      },
      body: '{"name": "n"}',
    });
    expect(result.status).to.equal(200);
    expect(result.headers.get('x-request-id')).to.equal('r.1:a');
    const [forwarded] = bff.backend.of(/campaigns/);
    expect(forwarded).to.include({
      method: 'PATCH',
      path: '/internal/v1/campaigns/c-1?x=%2F%20y',
      text: '{"name": "n"}',
    });
    expect(forwarded?.headers).to.include({
      'if-match': '"7"',
      'idempotency-key': 'key-1',
      'content-type': 'application/json',
      'x-request-id': 'r.1:a',
    });
    expect(forwarded?.headers.authorization).to.match(/^Bearer backend-token-/);
    expect(forwarded?.headers).to.not.have.property('cookie');
    expect(JSON.stringify(forwarded)).to.not.include(result.token);
  });

  it('returns status, body, ETag and Retry-After unchanged', async () => {
    bff.backend.behave((request) =>
      request.path.includes('/campaigns/')
        ? {
            status: 412,
            body: { code: 'stale' },
            headers: { etag: '"8"', 'retry-after': '3', 'content-type': 'application/problem+json', 'x-inner': '1' },
          }
        : null,
    );
    const result = await call('GET', '/api/v1/campaigns/c-1');
    expect(result.status).to.equal(412);
    expect(result.body).to.deep.equal({ code: 'stale' });
    expect(result.headers.get('etag')).to.equal('"8"');
    expect(result.headers.get('retry-after')).to.equal('3');
    expect(result.headers.get('content-type')).to.match(/^application\/problem\+json/);
    expect(result.headers.get('x-inner')).to.equal(null);
    expect(result.headers.get('cache-control')).to.equal('no-store');
  });

  it('leaves it to the backend what coding a body may have', async () => {
    const refusal = { status: 415, body: { code: 'unsupported_media_type' }, headers: { 'accept-encoding': 'gzip' } };
    bff.backend.behave((request) => (request.method === 'PUT' ? refusal : null));
    const headers = { 'content-type': 'text/csv', 'content-encoding': 'br' };
    const result = await call('PUT', '/api/v1/audiences/a-1/contacts', { headers, body: 'c1' });
    expect([result.status, result.headers.get('accept-encoding')]).to.deep.equal([415, 'gzip']);
    expect(bff.backend.of(/contacts/)[0]?.headers).to.include(headers);
  });

  it('passes on a response without content', async () => {
    bff.backend.behave((request) => (request.method === 'DELETE' ? { status: 204 } : null));
    expect((await call('DELETE', '/api/v1/campaigns/c-1')).status).to.equal(204);
  });

  it('requests one backend token for any number of calls', async () => {
    await Promise.all(Array.from({ length: 10 }, () => call('GET', '/api/v1/tags', { roles: ['viewer'] })));
    const tokens = bff.backend.of(/\/tokens$/).map((request) => request.json);
    // Each sign-in writes the user record; the calls share the existing token.
    expect(tokens.length).to.be.at.most(11);
    bff.backend.calls.length = 0;
    const token = await bff.identity.token({ tenantId, sub: 'same', roles: ['viewer'] });
    const get = () => fetch(`${bff.url}/api/v1/tags`, { headers: { authorization: `Bearer ${token}` } });
    await get();
    await Promise.all(Array.from({ length: 10 }, get));
    expect(bff.backend.of(/\/tokens$/)).to.have.length(1);
  });

  it('requests another token if the backend rejects the current one', async () => {
    let refusals = 1;
    bff.backend.behave((request) =>
      request.path.endsWith('/tags') && refusals-- > 0 ? { status: 401, body: {} } : null,
    );
    const result = await call('GET', '/api/v1/tags');
    expect(result.status).to.equal(200);
    const used = bff.backend.of(/\/tags$/).map((request) => request.headers.authorization);
    expect(new Set(used).size).to.equal(2);
  });

  const access: [string, string, string[], number][] = [
    ['GET', '/api/v1/campaigns', ['viewer'], 200],
    ['POST', '/api/v1/audiences:preview', ['viewer'], 200],
    ['POST', '/api/v1/campaigns', ['viewer'], 403],
    ['POST', '/api/v1/campaigns/c-1:send', ['viewer'], 403],
    ['PATCH', '/api/v1/tags/t-1', ['viewer', 'order_admin'], 403],
    ['POST', '/api/v1/campaigns', ['marketing_operator'], 200],
    ['POST', '/api/v1/campaigns/c-1:send', ['tenant_admin'], 200],
    ['POST', '/api/v1/integration/slots:register', ['marketing_operator'], 403],
    ['GET', '/api/v1/campaigns', ['order_admin'], 403],
    ['GET', '/api/v1/campaigns', [], 403],
  ];
  for (const [method, path, roles, status] of access) {
    it(`responds to ${method} ${path} by ${roles.join(' and ') || 'nobody in particular'} with ${status}`, async () => {
      const result = await call(method, path, { roles });
      expect(result.status).to.equal(status);
      // Whoever signs in is recorded, whatever they may do then.
      const reached = bff.backend.calls.filter(({ path: called }) => !/\/(tokens|sign-ins)$/.test(called));
      expect(reached).to.have.length(status === 200 ? 1 : 0);
    });
  }

  it('rejects people who are not signed in before anything else', async () => {
    const result = await responseOf(await fetch(`${bff.url}/api/v1/campaigns`, { method: 'POST', body: '{' }));
    expect(result.status).to.equal(401);
    expect(bff.backend.calls).to.deep.equal([]);
  });

  it('forwards only what is described', async () => {
    for (const path of [
      '/api/v1/tokens',
      '/api/v1/inbox',
      '/api/v1/tenant-integrations/x',
      '/api/v1/campaigns/a/b/c',
    ]) {
      expect((await call('POST', path)).status, path).to.equal(404);
    }
    for (const path of ['/API/v1/campaigns', '/api/V1/campaigns', '/api/v1/Campaigns', '//api/v1/campaigns']) {
      const { status, headers } = await call('GET', path);
      expect([status, headers.get('cache-control')], path).to.deep.equal([404, 'no-store']);
    }
    expect(bff.backend.of(/./)).to.deep.equal([]);
  });

  it('does not let dot segments lead to another path', async () => {
    for (const path of ['/a/../b', '/a/%2e%2e/b', '/a/..%2fb', '/./a', '/a/.%2E'])
      expect(hasDotSegment(path), path).to.equal(true);
    for (const path of ['/a/b', '/a/..b', '/a/b.c', '/a/...']) expect(hasDotSegment(path), path).to.equal(false);
    const token = await bff.identity.token({ tenantId });
    const status = await new Promise<number | undefined>((resolve, reject) => {
      httpRequest(
        { ...portOf(bff.url), path: '/api/v1/contacts/../inbox', headers: { authorization: `Bearer ${token}` } },
        (response) => resolve(response.resume().statusCode),
      )
        .on('error', reject)
        .end();
    });
    expect(status).to.equal(404);
    expect(bff.backend.of(/inbox/)).to.deep.equal([]);
  });

  const portOf = (url: string) => ({ host: '127.0.0.1', port: Number(new URL(url).port) });

  it('responds 503 while the backend is down', async () => {
    await bff.backend.stop();
    const result = await call('GET', '/api/v1/campaigns');
    await bff.backend.start();
    expect(result.status).to.equal(503);
    expect(result.body['code']).to.equal('unavailable');
    expect(result.headers.get('retry-after')).to.match(/^\d+$/);
    expect((await call('GET', '/api/v1/campaigns')).status).to.equal(200);
  });

  it('responds 503 if the connection breaks', async () => {
    bff.backend.behave((request) => (request.path.endsWith('/campaigns') ? 'reset' : null));
    expect((await call('GET', '/api/v1/campaigns')).status).to.equal(503);
  });

  it('S0-R12: tells every caller that later phases are not available, without calling anything', async () => {
    for (const path of ['/api/ai', '/api/ai/', '/api/ai/chat', '/api/ai/copywriting']) {
      const result = await call('POST', path);
      expect([result.status, result.body['code']]).to.deep.equal([404, 'phase_2']);
      expect((await fetch(`${bff.url}${path}`, { method: 'POST' })).status).to.equal(404);
    }
    expect(bff.backend.of(/ai/)).to.deep.equal([]);
  });

  it('forwards copywriting to the backend if the Tool API is enabled, for people who may write', async () => {
    const other = await startTestBff({ toolApiEnabled: true, sharing: bff });
    try {
      const ask = async (roles: string[], path = '/api/ai/copywriting') => {
        const headers = { authorization: `Bearer ${await bff.identity.token({ tenantId, roles })}` };
        return (await fetch(`${other.url}${path}`, { method: 'POST', headers, body: '{"brief":"x"}' })).status;
      };
      expect(await ask(['marketing_operator'])).to.equal(200);
      expect(bff.backend.of(/ai/).map(({ path, text }) => [path, text])).to.deep.equal([
        ['/internal/v1/ai/copywriting', '{"brief":"x"}'],
      ]);
      expect(await ask(['viewer'])).to.equal(403);
      expect(await ask(['marketing_operator'], '/api/ai/chat')).to.equal(404);
      expect((await fetch(`${other.url}/api/ai/copywriting`, { method: 'POST' })).status).to.equal(401);
      expect(bff.backend.of(/ai/)).to.have.length(1);
    } finally {
      await other.close();
    }
  });

  describe('to the order service', () => {
    it('uses the session’s platform token, and returns the response unchanged', async () => {
      const seen: IncomingMessage[] = [];
      ordersResponse = (request, response) => {
        seen.push(request.resume());
        response.writeHead(409, { 'content-type': 'application/json' }).end('{"code":90202}');
      };
      for (const prefix of ['', '/api/v1']) {
        const path = `${prefix}/transaction/v1/user/order/list?a=1`;
        const result = await call('POST', path, { roles: ['order_admin'], body: '{}' });
        expect(result.status).to.equal(409);
        expect(result.body).to.deep.equal({ code: 90202 });
        expect(seen.at(-1)?.url).to.equal('/transaction/v1/user/order/list?a=1');
        expect(seen.at(-1)?.headers.authorization).to.equal(`Bearer ${result.token}`);
      }
      expect(seen).to.have.length(2);
    });

    it('is rejected without a session, and responds 503 while it is down', async () => {
      expect((await fetch(`${bff.url}/transaction/v1/user/order/list`, { method: 'POST' })).status).to.equal(401);
      ordersResponse = (request) => request.socket.destroy();
      expect((await call('POST', '/transaction/v1/user/order/list')).status).to.equal(503);
    });
  });
});
