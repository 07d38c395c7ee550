import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { verify } from '#domain/signature.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { createPlatformGateway, type CredentialSource } from './gateway.ts';
import { createHttpExchange } from '../http/exchange.ts';

const SECRET = 's3cr3t-s3cr3t-s3cr3t-s3cr3t-0001';
const task = { serviceNumberId: 'sn/1', taskId: 't 1' };
const broadcast = {
  serviceNumberId: 'sn-1',
  key: 'k1',
  broadcast: {
    name: '春',
    channels: ['default'],
    messages: [{ type: 'text' as const, text: 'Hello 🎉' }],
    audience: { type: 'contacts' as const, contactIds: ['a', 'b'] },
    schedule: { type: 'immediate' as const },
  },
};

const entrySource = {
  name: 'Spring',
  reason: { type: 'activity' as const, id: 'c-1', data: {} },
  channels: [],
  webhook: { url: 'http://bff.example/webhook', events: [] },
};

interface Received {
  request: IncomingMessage;
  body: Buffer;
}

describe('platform gateway', () => {
  const servers: Server[] = [];
  const exchange = createHttpExchange({ timeoutMs: 60_000, connections: 4 });
  const impatient = createHttpExchange({ timeoutMs: 300, connections: 4 });

  async function listen(server: Server): Promise<number> {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  /** An HTTP server that responds with `handle`, and the calls it received. */
  async function platform(handle: (received: Received, response: ServerResponse) => void) {
    const calls: Received[] = [];
    const server = createHttpServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const received = { request, body: Buffer.concat(parts) };
        calls.push(received);
        handle(received, response);
      });
    });
    return { baseUrl: `http://127.0.0.1:${await listen(server)}`, calls };
  }

  const result = (status: number, body: unknown, headers: Record<string, string> = {}) =>
    platform((_received, response) => {
      response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
    });

  const end = () => Promise.resolve();
  const pauses: [string, number][] = [];
  const unpaused = {
    pause: (...asked: [string, number]) => {
      pauses.push(asked);
      return Promise.resolve();
    },
    isPaused: () => false,
  };
  const credentials: CredentialSource = {
    ...unpaused,
    begin: () => Promise.resolve({ tenantIntegrationId: 'ti-1', current: SECRET, previous: null, end }),
  };

  const gatewayAt = (baseUrl: string, by = exchange) => createPlatformGateway({ baseUrl, exchange: by });
  const send = (baseUrl: string, by = exchange) => gatewayAt(baseUrl, by).createBroadcast(credentials, broadcast);

  after(async () => {
    await exchange.destroy();
    await impatient.destroy();
    for (const server of servers) server.close();
  });

  it('reads ids as the platform sends them: as numbers, however large, and as long texts', async () => {
    const long = 'x'.repeat(512);
    for (const [given, read] of [
      ['4711', '4711'],
      ['0', '0'],
      ['7251234567890123457', '7251234567890123457'],
      [JSON.stringify(long), long],
      [JSON.stringify('é'.repeat(256)), 'é'.repeat(256)],
    ]) {
      const { baseUrl } = await result(201, `{"taskId":${given},"sourceId":${given},"status":"sending"}`);
      expect(await send(baseUrl)).to.deep.equal({ kind: 'accepted', value: { taskId: read } });
      const source = await gatewayAt(baseUrl).createEntrySource(credentials, entrySource);
      expect(source).to.deep.equal({ kind: 'accepted', value: { sourceId: read } });
      expect(await gatewayAt(baseUrl).readTask(credentials, task)).to.include({ kind: 'accepted' });
    }
    const { baseUrl } = await result(
      404,
      '{"code":"contact_not_found","contactIds":[1001,"c2",7251234567890123457,null]}',
    );
    expect(await send(baseUrl)).to.deep.include({ contactIds: ['1001', 'c2', '7251234567890123457'] });
  });

  it('creates tasks on separate connections, since the platform may have closed a kept one', async () => {
    const used = new WeakSet<object>();
    const { baseUrl, calls } = await platform(({ request }, response) => {
      if (used.has(request.socket)) return void request.socket.destroy();
      used.add(request.socket);
      response.writeHead(201).end('{"taskId":"t","status":"sending"}');
    });
    for (const _ of [1, 2, 3]) expect(await send(baseUrl)).to.include({ kind: 'accepted' });
    expect(await gatewayAt(baseUrl).readTask(credentials, task)).to.include({ kind: 'accepted' });
    expect(await send(baseUrl)).to.include({ kind: 'accepted' });
    expect(calls).to.have.length(5);
  });

  it('creates a task while all kept connections are blocked', async () => {
    let hanging = 0;
    const { baseUrl } = await platform((_received, response) => {
      if (hanging === 8) response.writeHead(201).end('{"taskId":"t"}');
      else hanging += 1;
    });
    const patient = createHttpExchange({ timeoutMs: 30_000, connections: 4 });
    const gateway = createPlatformGateway({ baseUrl, exchange: patient });
    const calls = [1, 2, 3, 4].flatMap(() => [
      gateway.createBroadcast(credentials, broadcast),
      gateway.readTask(credentials, task),
    ]);
    await eventually('all of them hang', () => hanging === 8);
    expect(await gateway.createBroadcast(credentials, broadcast)).to.include({ kind: 'accepted' });
    await patient.destroy();
    expect((await Promise.all(calls)).map(({ kind }) => kind)).to.deep.equal(calls.map(() => 'ambiguous'));
  });

  it('rejects an id that is invalid, or longer than can be stored', async () => {
    for (const given of [
      '1.5',
      'null',
      '""',
      'true',
      JSON.stringify('é'.repeat(385)),
      JSON.stringify('x'.repeat(513)),
    ]) {
      const { baseUrl } = await result(201, `{"taskId":${given}}`);
      expect(await send(baseUrl)).to.include({ kind: 'ambiguous' });
    }
  });

  it('signs the bytes it sends, anew each time, and encodes ids', async () => {
    const { baseUrl, calls } = await result(201, { taskId: 't1', estimatedRecipientCount: 2 });
    expect(await send(baseUrl)).to.deep.equal({
      kind: 'accepted',
      value: { taskId: 't1', estimatedRecipientCount: 2 },
    });
    await gatewayAt(baseUrl).readTask(credentials, task);
    const [post, get] = calls;
    if (!post || !get) throw new Error('two calls were expected');
    for (const { request, body } of [post, get]) {
      const nonce = String(request.headers['x-platform-nonce']);
      expect(verify(SECRET, nonce, body, request.headers.authorization)).to.equal(true);
    }
    expect(post.request.headers['idempotency-key']).to.equal('k1');
    expect(JSON.parse(post.body.toString())).to.deep.equal(broadcast.broadcast);
    expect(get.request.url).to.equal('/openapi/v1/service-numbers/sn%2F1/broadcasts/t%201');
    expect(get.body.length).to.equal(0);
    expect(post.request.headers['x-platform-nonce']).to.not.equal(get.request.headers['x-platform-nonce']);
  });

  it('asks for uncompressed responses: without the header, any coding would be allowed (RFC 9110, 12.5.3)', async () => {
    const { baseUrl } = await platform(({ request }, response) => {
      const created = Buffer.from('{"taskId":"t1"}');
      if (request.headers['accept-encoding'] === 'identity') response.writeHead(201).end(created);
      else response.writeHead(201, { 'Content-Encoding': 'gzip' }).end(gzipSync(created));
    });
    expect((await send(baseUrl)).kind).to.equal('accepted');
  });

  const classes: [string, number, unknown, Record<string, string>, object][] = [
    ['429', 429, 'slow down', { 'Retry-After': '2' }, { kind: 'retryable', retryAfterMs: 2000, code: 'rate_limited' }],
    [
      '5xx with a code',
      503,
      { code: 'busy', message: 'm' },
      {},
      { kind: 'retryable', retryAfterMs: null, code: 'busy' },
    ],
    ['5xx without a code', 502, 'Bad gateway', {}, { kind: 'ambiguous' }],
    [
      'a refusal',
      400,
      { code: 'contact_not_found', message: 'm', contactIds: ['a', null] },
      {},
      { kind: 'rejected', code: 'contact_not_found', contactIds: ['a'] },
    ],
    ['404 without a body', 404, '', {}, { kind: 'rejected', status: 404, code: 'http_404' }],
    ['201 without a taskId', 201, {}, {}, { kind: 'ambiguous' }],
    ['201 that is not JSON', 201, '<html>', {}, { kind: 'ambiguous' }],
  ];
  for (const [name, status, body, headers, expected] of classes) {
    it(`reads ${name} as ${JSON.stringify(expected)}`, async () => {
      const { baseUrl, calls } = await result(status, body, headers);
      expect(await send(baseUrl)).to.deep.include(expected);
      expect(calls).to.have.length(1);
    });
  }

  it('retries a 401 with the current secret and then with the previous one', async () => {
    const { baseUrl, calls } = await platform(({ request, body }, response) => {
      const nonce = String(request.headers['x-platform-nonce']);
      const known = verify('previous-previous-previous-previo', nonce, body, request.headers.authorization);
      response.writeHead(known ? 201 : 401).end(known ? '{"taskId":"t"}' : '{"code":"unauthorized"}');
    });
    let underWay = 0;
    const source = (previous: string | null): CredentialSource => ({
      ...unpaused,
      begin: () => {
        underWay += 1;
        const over = async () => void (underWay -= 1);
        return Promise.resolve({ tenantIntegrationId: 'ti-1', current: SECRET, previous, end: over });
      },
    });
    const gateway = gatewayAt(baseUrl);
    const accepted = await gateway.createBroadcast(source('previous-previous-previous-previo'), broadcast);
    expect(accepted.kind).to.equal('accepted');
    expect(calls).to.have.length(3);
    expect((await gateway.createBroadcast(source(null), broadcast)).kind).to.equal('unauthorized');
    expect(calls).to.have.length(5);
    expect(underWay).to.equal(0);
  });

  it('sends nothing for a tenant without an active integration', async () => {
    const { baseUrl, calls } = await result(201, { taskId: 't' });
    const gone = await gatewayAt(baseUrl).createBroadcast(
      { ...unpaused, begin: () => Promise.resolve(null) },
      broadcast,
    );
    expect(gone.kind).to.equal('notSent');
    expect(calls).to.have.length(0);
  });

  it('A10: reports every pause that a 429 or 503 asks for, whatever the call', async () => {
    for (const [status, headers, expected] of [
      [429, { 'Retry-After': '7' }, [['ti-1', 7000]]],
      [503, { 'Retry-After': '7' }, [['ti-1', 7000]]],
      [500, { 'Retry-After': '7' }, []],
      [429, {}, []],
    ] as const) {
      pauses.length = 0;
      const { baseUrl } = await result(status, {}, headers);
      await gatewayAt(baseUrl).endEntrySource(credentials, 's-1');
      expect(pauses, `${status}`).to.deep.equal(expected);
    }
  });

  it('A10: makes no call in a pause, nor one that a pause overtakes before it is written', async () => {
    const { baseUrl, calls } = await result(201, { taskId: 't' });
    const paused: CredentialSource = { ...unpaused, begin: () => Promise.resolve({ pausedMs: 500 }) };
    const outcome = await gatewayAt(baseUrl).createBroadcast(paused, broadcast);
    expect(outcome).to.include({ kind: 'retryable', retryAfterMs: 500 });
    const overtaken = { ...credentials, isPaused: () => true };
    expect((await gatewayAt(baseUrl).createBroadcast(overtaken, broadcast)).kind).to.equal('notSent');
    expect(calls).to.have.length(0);
  });

  describe('without a response', () => {
    const tcp = (handle: (socket: Socket) => void) =>
      listen(createTcpServer((socket) => handle(socket.on('error', () => socket.destroy()))));

    it('knows that nothing was sent: refused, unknown host, no TLS', async () => {
      const closing = createTcpServer();
      const port = await listen(closing);
      await new Promise((resolve) => closing.close(resolve));
      expect((await send(`http://127.0.0.1:${port}`)).kind).to.equal('notSent');
      expect((await send('http://nowhere.invalid', impatient)).kind).to.equal('notSent');
      const plain = await tcp((socket) => socket.once('data', () => socket.destroy()));
      expect((await send(`https://127.0.0.1:${plain}`)).kind).to.equal('notSent');
    });

    it('leaves open what was sent: reset, silence, a truncated response', async () => {
      const reset = await tcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
      expect((await send(`http://127.0.0.1:${reset}`)).kind).to.equal('ambiguous');
      const silent = await tcp((socket) => socket.resume());
      expect((await send(`http://127.0.0.1:${silent}`, impatient)).kind).to.equal('ambiguous');
      const cut = await tcp((socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 201 Created\r\nContent-Length: 99\r\n\r\n{"taskId":')),
      );
      expect((await send(`http://127.0.0.1:${cut}`)).kind).to.equal('ambiguous');
    });
  });
});
