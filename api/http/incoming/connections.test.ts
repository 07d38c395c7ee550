import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { fixture } from '#test/support/fixtures/fixture.ts';
import { listen } from '#test/support/http/listen.ts';
import { rawConnection } from '#test/support/http/raw-connection.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { createServer } from './connections.ts';

/** Calls from a thread of its own, as one that reads and writes while the server does. */
const outsider = `
  const { connect } = require('node:net');
  const { parentPort, workerData: { hostname, port, headers } } = require('node:worker_threads');
  const call = () => new Promise((resolve) => {
    let heard = '';
    connect(port, hostname)
      .on('data', (chunk) => (heard += chunk))
      .on('error', ({ code }) => resolve(code))
      .on('end', () => resolve(heard.split('\\r\\n')[0]))
      .write('GET /?q=' + headers);
  });
  (async () => {
    const all = [];
    for (let count = 0; count < 20; count += 1) all.push(await call());
    parentPort.postMessage(all);
  })();
`;

describe('connections', () => {
  const served: string[] = [];
  const server = fixture(async () => {
    const http = createServer((request, response) => {
      served.push(String(request.url));
      if (request.url === '/slow') response.writeHead(200, { 'content-length': 4 });
      else response.end('ok');
      response.flushHeaders();
    });
    const url = await listen(http);
    const close = async () => {
      http.closeAllConnections();
      http.close();
    };
    const { hostname, port } = new URL(url);
    return { value: { url, at: { hostname, port } }, close };
  });

  it('are told of headers that are too long, however much of them is still to come, and then closed', async () => {
    const caller = new Worker(outsider, { eval: true, workerData: { ...server.at, headers: 'x'.repeat(1_000_000) } });
    const [heard] = (await once(caller, 'message')) as [string[]];
    expect(heard).to.deep.equal(heard.map(() => 'HTTP/1.1 431 Request Header Fields Too Large'));
  });

  it('end without a word if what cannot be read comes while a response is being sent', async () => {
    const caller = rawConnection(server.url);
    caller.send('GET /slow HTTP/1.1', 'host: test', '', '');
    await eventually('it is being answered', () => caller.heard().includes('\r\n\r\n'));
    caller.send('not HTTP', '', '');
    await eventually('it is closed', () => caller.isClosed());
    expect(caller.heard())
      .to.match(/^HTTP\/1\.1 200 OK\r\n/)
      .and.not.include('400');
  });

  it('are told of what is no request, and may begin another', async () => {
    const caller = rawConnection(server.url);
    caller.send('not HTTP', '', '');
    await eventually('it is closed', () => caller.isClosed());
    expect(caller.heard()).to.match(/^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n/);
    expect(await (await fetch(server.url)).text()).to.equal('ok');
  });

  const targets: [string, string][] = [
    ['an address', 'POST http://test/slow'],
    ['an address of another scheme', 'GET ftp://test/slow'],
    ['no path', 'GET slow'],
    ['no path but of the whole server', 'OPTIONS *'],
    ['a host', 'GET test:443'],
  ];
  for (const [what, target] of targets)
    it(`are told that ${what} is no target of a request, before any route sees it`, async () => {
      served.length = 0;
      const caller = rawConnection(server.url);
      caller.send(`${target} HTTP/1.1`, 'host: test', 'x-request-id: mine', 'connection: close', '', '');
      await eventually('it is closed', () => caller.isClosed());
      const [head = '', body = ''] = caller.heard().split('\r\n\r\n');
      expect(head)
        .to.match(/^HTTP\/1\.1 400 Bad Request\r\n/)
        .and.include('Content-Type: application/problem+json')
        .and.include(`Content-Length: ${Buffer.byteLength(body)}`);
      const { requestId, code } = JSON.parse(body) as Record<string, string>;
      expect(code).to.equal('invalid_request');
      expect(head).to.include(`X-Request-Id: ${requestId}`);
      expect(served).to.deep.equal([]);
    });

  it('are told that this is no proxy', async () => {
    served.length = 0;
    const caller = rawConnection(server.url);
    caller.send('CONNECT test:443 HTTP/1.1', 'host: test', '', '');
    await eventually('it is closed', () => caller.isClosed());
    expect(caller.heard()).to.equal('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    expect(served).to.deep.equal([]);
  });

  it('may begin the path of a request with two slashes, and go on after a target that is none', async () => {
    served.length = 0;
    const caller = rawConnection(server.url);
    caller.send('POST http://test/slow HTTP/1.1', 'host: test', 'content-length: 2', '', '{}');
    caller.send('GET //test/x HTTP/1.1', 'host: test', 'connection: close', '', '');
    await eventually('it is closed', () => caller.isClosed());
    expect(caller.heard().match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 400', 'HTTP/1.1 200']);
    expect(served).to.deep.equal(['//test/x']);
  });
});
