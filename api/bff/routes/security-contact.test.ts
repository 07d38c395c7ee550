import { createServer } from 'node:http';
import { expect } from 'chai';
import Koa from 'koa';
import { listen } from '#test/support/http/listen.ts';
import { securityContactRoutes } from './security-contact.ts';

describe('/.well-known/security.txt', () => {
  async function read(contact: string | null): Promise<{ status: number; type: string | null; text: string }> {
    const routes = securityContactRoutes({ contact, publicUrl: 'https://outreach.example' });
    const server = createServer(new Koa().use(routes.routes()).callback());
    const response = await fetch(`${await listen(server)}/.well-known/security.txt`);
    const read = { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
    server.close();
    return read;
  }

  it('names the contact, and expires within a year', async () => {
    const { status, type, text } = await read('mailto:security@outreach.example');
    expect([status, type]).to.deep.equal([200, 'text/plain; charset=utf-8']);
    const fields = new Map(
      text
        .trim()
        .split('\n')
        .map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]),
    );
    expect(fields.get('Contact')).to.equal('mailto:security@outreach.example');
    expect(fields.get('Canonical')).to.equal('https://outreach.example/.well-known/security.txt');
    const days = (Date.parse(fields.get('Expires') ?? '') - Date.now()) / 86_400_000;
    expect(days).to.be.within(178, 180);
  });

  it('is not there without a contact', async () => {
    expect((await read(null)).status).to.equal(404);
  });
});
