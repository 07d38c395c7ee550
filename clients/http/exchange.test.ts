import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { freePort } from '#scripts/start/ports.ts';
import { createHttpExchange, type Exchange, type HttpRequest } from './exchange.ts';
import { isUnreachable, neverArrived } from './never-arrived.ts';

describe('HTTP exchange', () => {
  const exchange = createHttpExchange({ timeoutMs: 60_000, connections: 2, maximumResponseBytes: 10 });
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const server = createServer((request, response) => handle(request, response));
  let baseUrl: string;
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    await exchange.destroy();
    server.closeAllConnections();
    server.close();
  });

  const send = (more: Partial<HttpRequest> = {}): Promise<Exchange> =>
    exchange.send({ method: 'GET', url: new URL(baseUrl), headers: {}, body: null, ...more });
  async function failed(more: Partial<HttpRequest> = {}) {
    const result = await send(more);
    if (result.kind === 'responded') throw new Error('a failure was expected');
    return { code: result.code, never: neverArrived(result), unreachable: isUnreachable(result) };
  }

  it('returns status, body and the headers that clients read, and sends the request id', async () => {
    let requestId: unknown;
    handle = (request, response) => {
      requestId = request.headers['x-request-id'];
      response.writeHead(503, { 'Retry-After': '7', 'Content-Type': 'text/plain' }).end('0123456789');
    };
    expect(await send({ requestId: 'r-1' })).to.deep.equal({
      kind: 'responded',
      response: { status: 503, retryAfter: '7', contentType: 'text/plain', body: '0123456789' },
    });
    expect(requestId).to.equal('r-1');
  });

  it('aborts a response that is too long, which may have taken effect', async () => {
    handle = (_request, response) => {
      response.writeHead(200);
      // Never ended, so that only the limit can end the call.
      for (let i = 0; i < 11; i++) response.write('x');
    };
    expect(await failed()).to.deep.equal({ code: 'RangeError', never: false, unreachable: false });
  });

  it('ends a call after its own time limit', async () => {
    handle = () => undefined;
    expect(await failed({ timeoutMs: 100 })).to.deep.equal({ code: 'TimeoutError', never: false, unreachable: false });
  });

  it('ends a call that waits for a connection in time, and never sends it', async () => {
    const narrow = createHttpExchange({ timeoutMs: 60_000, connections: 1 });
    const request = { method: 'GET', url: new URL(baseUrl), headers: {}, body: null } as const;
    let calls = 0;
    let release = (): void => undefined;
    const first = new Promise<void>((resolve) => {
      handle = (_request, response) => {
        calls += 1;
        release = () => void response.end();
        resolve();
      };
    });
    const holding = narrow.send(request);
    await first;
    const waiting = await narrow.send({ ...request, timeoutMs: 100 });
    if (waiting.kind === 'responded') throw new Error('a failure was expected');
    expect([waiting.code, neverArrived(waiting), isUnreachable(waiting)]).to.deep.equal(['TimeoutError', true, false]);
    release();
    expect((await holding).kind).to.equal('responded');
    handle = (_request, response) => {
      calls += 1;
      response.end();
    };
    // It would have been sent before this one.
    expect((await narrow.send(request)).kind).to.equal('responded');
    expect(calls).to.equal(2);
    await narrow.destroy();
  });

  it('knows that nobody is there', async () => {
    const url = new URL(`http://127.0.0.1:${await freePort()}`);
    expect(await failed({ url })).to.deep.equal({ code: 'ECONNREFUSED', never: true, unreachable: true });
  });

  it('leaves open whether a call took effect if its connection broke after it was sent', async () => {
    handle = (request) => request.socket.resetAndDestroy();
    const { never, unreachable } = await failed();
    expect([never, unreachable]).to.deep.equal([false, false]);
  });
});

describe('failures that never arrived', () => {
  it('do not include a connection that broke while in use, whatever its code', () => {
    for (const code of ['EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED']) {
      expect(isUnreachable({ sent: false, code }), code).to.equal(true);
      expect(isUnreachable({ sent: true, code }), code).to.equal(false);
      expect(neverArrived({ sent: true, code }), code).to.equal(false);
    }
  });
});
