import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { internalOperations } from '#domain/api/internal.ts';
import { freePort } from '#scripts/start/ports.ts';
import { BackendError, createBackendClient } from './client.ts';

describe('backend client: what is certain about a failed call', () => {
  let respond: (response: ServerResponse) => void = () => undefined;
  const server = createServer((_request, response) => respond(response));
  const closers: (() => Promise<void>)[] = [];
  let baseUrl: string;
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await Promise.all(closers.map((close) => close()));
  });

  async function failure(url = baseUrl, timeoutMs = 60_000): Promise<(string | number | undefined)[]> {
    const client = createBackendClient({ baseUrl: url, secret: 'secret' });
    closers.push(client.close);
    const call = { body: { events: [] }, requestId: 'r', timeoutMs };
    const error: unknown = await client.call(internalOperations.storeEvents, call).catch((cause: unknown) => cause);
    if (!(error instanceof BackendError)) throw new Error('an error was expected', { cause: error });
    return [error.kind, error.status, error.code];
  }
  const problem = (status: number, body: string) => (response: ServerResponse) =>
    response.writeHead(status, { 'Content-Type': 'application/problem+json' }).end(body);

  it('a 4xx was rejected, with the code of its problem', async () => {
    respond = problem(410, '{"code":"gone","detail":"It is gone"}');
    expect(await failure()).to.deep.equal(['rejected', 410, 'gone']);
    respond = (response) => response.writeHead(404).end('no JSON');
    expect(await failure()).to.deep.equal(['rejected', 404, undefined]);
  });

  it('nobody listens: it never arrived', async () => {
    expect(await failure(`http://127.0.0.1:${await freePort()}`)).to.deep.equal(['unreachable', undefined, undefined]);
  });

  it('a 5xx, silence, a reset and unreadable responses leave it unclear', async () => {
    respond = problem(503, '{"code":"unavailable"}');
    expect(await failure()).to.deep.equal(['unclear', 503, 'unavailable']);
    const unclear: (typeof respond)[] = [
      (response) => response.socket?.destroy(),
      (response) => response.end('{"results":'),
      (response) => response.end('{"results":1}'),
      problem(400, '{'),
    ];
    for (const one of unclear) {
      respond = one;
      expect(await failure()).to.deep.equal(['unclear', undefined, undefined]);
    }
    respond = () => undefined;
    expect(await failure(baseUrl, 200)).to.deep.equal(['unclear', undefined, undefined]);
  });
});
