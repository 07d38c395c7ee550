import { createServer } from 'node:http';
import { expect } from 'chai';
import Koa from 'koa';
import { listen } from '#test/support/http/listen.ts';
import { securityHeaders } from './headers.ts';

describe('security headers', () => {
  async function headersAt(publicUrl: string, path: string): Promise<Headers> {
    const app = new Koa().use(securityHeaders(publicUrl));
    const server = createServer(app.callback());
    const response = await fetch(`${await listen(server)}${path}`);
    server.close();
    return response.headers;
  }

  it('keep what an API responds out of caches, and other files in them', async () => {
    for (const path of ['/api/v1/me', '/transaction/v1/orders/list'])
      expect((await headersAt('http://127.0.0.1', path)).get('cache-control'), path).to.equal('no-store');
    expect((await headersAt('http://127.0.0.1', '/app')).get('cache-control')).to.equal(null);
  });

  it('let nothing be loaded, framed or sent by default, nor addresses be read against another base', async () => {
    const policy = (await headersAt('http://127.0.0.1', '/nothing')).get('content-security-policy') ?? '';
    expect(policy.split('; ')).to.have.members(
      ['default-src', 'object-src', 'base-uri', 'form-action', 'frame-ancestors'].map((what) => `${what} 'none'`),
    );
  });

  it('require HTTPS for a year where the public address is HTTPS', async () => {
    expect((await headersAt('https://bff.example', '/app')).get('strict-transport-security')).to.equal(
      'max-age=31536000; includeSubDomains',
    );
    expect((await headersAt('http://127.0.0.1', '/app')).get('strict-transport-security')).to.equal(null);
  });
});
