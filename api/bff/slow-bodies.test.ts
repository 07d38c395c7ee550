import { createServer } from 'node:http';
import { expect } from 'chai';
import { useBff } from '#test/support/fixtures/services.ts';
import { listen } from '#test/support/http/listen.ts';
import { rawConnection } from '#test/support/http/raw-connection.ts';
import { installed, startTestBff } from '#test/support/services/bff.ts';
import { eventually } from '#test/support/time/eventually.ts';

describe('bodies that arrive slowly', () => {
  const bff = useBff();

  it('take no connection from those who wait for a response', async () => {
    const { platformTenantId: tenantId } = await installed(bff);
    const { platformTenantId: other } = await installed(bff);
    const token = await bff.identity.token({ tenantId });
    const begin = [
      'host: bff',
      `authorization: Bearer ${token}`,
      'content-length: 1000',
      'content-type: application/json',
    ];
    const trickling = Array.from({ length: 200 }, () => rawConnection(bff.url));
    try {
      for (const one of trickling) one.send('POST /api/v1/tags HTTP/1.1', ...begin, '', '{');
      await eventually('all are forwarded', () => bff.backend.arriving() === trickling.length);
      const headers = { authorization: `Bearer ${await bff.identity.token({ tenantId: other })}` };
      const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${bff.url}/api/v1/tags`, { headers })));
      expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
    } finally {
      trickling.forEach((one) => one.close());
    }
    await eventually('the backend is left, too', () => bff.backend.arriving() === 0);
  });

  it('end where the backend finds them too slow', async () => {
    const { platformTenantId: tenantId } = await installed(bff);
    const slow = await startSlowBackend();
    const other = await startTestBff({ sharing: bff, backendUrl: slow.url });
    const caller = rawConnection(other.url);
    try {
      const headers = [`authorization: Bearer ${await bff.identity.token({ tenantId })}`, 'content-length: 1000'];
      caller.send('PUT /api/v1/audiences/a-1/contacts HTTP/1.1', 'host: bff', ...headers, '', 'c1');
      await eventually('the caller is told', () => caller.heard().startsWith('HTTP/1.1 408'));
      await eventually('the connection is closed', () => caller.isClosed());
      expect(caller.heard()).to.match(/\r\nconnection: close\r\n/i);
    } finally {
      caller.close();
      await other.close();
      await slow.close();
    }
  });
});

/** A backend for which every body is too slow. */
async function startSlowBackend() {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url?.endsWith('/tokens')) {
      response.end(JSON.stringify({ token: 't', expiresAt: new Date(Date.now() + 300_000).toISOString() }));
      return;
    }
    response.writeHead(408, { connection: 'close' }).end('{"code":"too_slow"}');
  });
  const url = await listen(server);
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
  return { url, close };
}
