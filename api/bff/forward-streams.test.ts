import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { installed, startTestBff } from '#test/support/services/bff.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { rawConnection } from '#test/support/http/raw-connection.ts';
import { useBff } from '#test/support/fixtures/services.ts';

describe('forwarding streams', () => {
  const bff = useBff();
  let tenantId: string;
  before(async () => {
    tenantId = (await installed(bff)).platformTenantId;
  });

  it('returns the error for a large upload that the backend does not read to its end, and serves the next call', async () => {
    const rejecting = createServer((request, response) => {
      if (request.url?.endsWith('/tokens')) {
        const expiresAt = new Date(Date.now() + 300_000).toISOString();
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ token: 't', expiresAt }));
        return;
      }
      response.setHeader('content-type', 'application/problem+json');
      response.writeHead(404, { 'content-length': 20 }).end('{"code":"not_found"}');
    });
    await new Promise<void>((resolve) => {
      rejecting.listen(0, '127.0.0.1', resolve);
    });
    const backendUrl = `http://127.0.0.1:${(rejecting.address() as AddressInfo).port}`;
    const other = await startTestBff({ sharing: bff, backendUrl });
    try {
      const token = await bff.identity.token({ tenantId });
      const body = 'contact-0000001\n'.repeat(500_000);
      const headers = [`authorization: Bearer ${token}`, 'content-type: text/csv', `content-length: ${body.length}`];
      const caller = rawConnection(other.url);
      caller.send('PUT /api/v1/audiences/a-1/contacts HTTP/1.1', 'host: bff', ...headers, '', body);
      await eventually('the refusal', () => /^HTTP\/1.1 404 [^]*{"code":"not_found"}$/.test(caller.heard()));
      caller.send('GET /healthz HTTP/1.1', 'host: bff', '', '');
      await eventually('the next response on the same connection', () => caller.heard().includes('HTTP/1.1 200'));
      caller.close();
    } finally {
      await other.close();
      rejecting.closeAllConnections();
      rejecting.close();
    }
  });

  it('streams a large upload', async () => {
    const body = 'contact-0000001\n'.repeat(200_000);
    const response = await fetch(`${bff.url}/api/v1/audiences/a-1/contacts`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${await bff.identity.token({ tenantId })}`, 'content-type': 'text/csv' },
      body,
    });
    expect(response.status).to.equal(200);
    expect(bff.backend.of(/contacts$/)[0]?.text.length).to.equal(body.length);
  });

  it('continues when a caller leaves before its response arrives', async () => {
    const headers = { authorization: `Bearer ${await bff.identity.token({ tenantId, sub: 'hasty' })}` };
    const left = new AbortController();
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    bff.backend.behave(async ({ path }) => {
      if (path.endsWith('/tokens')) await released;
      return null;
    });
    const before = bff.backend.of(/tokens$/).length;
    const gone = fetch(`${bff.url}/api/v1/campaigns?q=hasty`, { headers, signal: left.signal }).catch(String);
    await eventually('the backend is asked for a token', () => bff.backend.of(/tokens$/).length > before);
    left.abort();
    await gone;
    // When this responds, the BFF has seen the other connection close.
    await fetch(`${bff.url}/healthz`);
    release();
    await eventually('the call continued nevertheless', () => bff.backend.of(/q=hasty/).length > 0);
    bff.backend.behave(() => null);
    expect((await fetch(`${bff.url}/api/v1/campaigns`, { headers })).status).to.equal(200);
  });

  it('passes events on as they arrive, and closes the source when the reader leaves', async () => {
    const streaming = await startStreamingBackend('/stream', 'text/event-stream');
    const other = await startTestBff({ sharing: bff, backendUrl: streaming.url });
    try {
      const token = await bff.identity.token({ tenantId });
      const left = new AbortController();
      const response = await fetch(`${other.url}/api/v1/campaigns/c-1/stream`, {
        headers: { authorization: `Bearer ${token}`, 'last-event-id': '41' },
        signal: left.signal,
      });
      expect(response.headers.get('content-type')).to.equal('text/event-stream');
      const reader = response.body?.getReader();
      const next = async () => new TextDecoder().decode((await reader?.read())?.value as Uint8Array | undefined);
      expect(streaming.lastEventId()).to.equal('41');
      for (const text of ['data: 1\n\n', 'data: 2\n\n']) {
        streaming.write(text);
        expect(await next()).to.equal(text);
      }
      left.abort();
      await eventually('the source is closed', () => streaming.closed());
    } finally {
      await other.close();
      await streaming.stop();
    }
  });

  it('A16: passes a file on as it is read, and breaks it off where the backend does', async () => {
    const streaming = await startStreamingBackend('/recipients.csv', 'text/csv; charset=utf-8');
    const other = await startTestBff({ sharing: bff, backendUrl: streaming.url });
    try {
      const asked = fetch(`${other.url}/api/v1/campaigns/c-1/recipients.csv`, {
        headers: { authorization: `Bearer ${await bff.identity.token({ tenantId })}` },
      });
      await eventually('the backend is asked', () => streaming.lastEventId() !== undefined);
      streaming.write('contactId\r\n');
      const response = await asked;
      expect(response.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
      expect(response.headers.get('content-disposition')).to.equal('attachment; filename="x.csv"');
      const reader = response.body?.getReader();
      expect(new TextDecoder().decode((await reader?.read())?.value as Uint8Array)).to.equal('contactId\r\n');
      streaming.breakOff();
      const end = await reader?.read().then(
        () => 'complete',
        () => 'broken off',
      );
      expect(end).to.equal('broken off');
    } finally {
      await other.close();
      await streaming.stop();
    }
  });
});

/** A backend with one stream, written by the test. */
async function startStreamingBackend(path: string, type: string) {
  let open: ServerResponse | undefined;
  let closed = false;
  let lastEventId: string | undefined;
  const server = createServer((request, response) => {
    if (!request.url?.endsWith(path)) {
      const expiresAt = new Date(Date.now() + 300_000).toISOString();
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ token: 't', expiresAt }));
      return;
    }
    open = response;
    lastEventId = String(request.headers['last-event-id']);
    response.writeHead(200, { 'content-type': type, 'content-disposition': 'attachment; filename="x.csv"' });
    response.flushHeaders();
    response.once('close', () => {
      closed = true;
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    write: (text: string) => open?.write(text),
    breakOff: () => open?.destroy(),
    closed: () => closed,
    lastEventId: () => lastEventId,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
