import { createServer } from 'node:http';
import { expect } from 'chai';
import Koa from 'koa';
import { fixture } from '#test/support/fixtures/fixture.ts';
import { listen } from '#test/support/http/listen.ts';
import { rawConnection, type RawConnection } from '#test/support/http/raw-connection.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { createLogger } from '#api/runtime/logger.ts';
import { problemResponses } from '../problem-responses.ts';
import { createBodyBudget } from './budget.ts';

describe('room for bodies', () => {
  const server = fixture(async () => {
    const bodies = createBodyBudget({ bytes: 100, bytesPerSender: 60 });
    const used: { body: string; end: () => void }[] = [];
    const app = new Koa().use(problemResponses(createLogger('test', 'silent'))).use(async (ctx) => {
      ctx.body = await bodies.receive(ctx, ctx.path, async (body) => {
        await new Promise<void>((resolve) => used.push({ body: body.toString(), end: resolve }));
        return body.toString();
      });
    });
    const http = createServer(app.callback());
    const url = await listen(http);
    const value = { url, used, end: () => used.splice(0).forEach(({ end }) => end()) };
    return {
      value,
      close: async () => {
        http.closeAllConnections();
        http.close();
      },
    };
  });
  const post = (sender: string, body: string) => fetch(`${server.url}/${sender}`, { method: 'POST', body });
  const inUse = (count: number) => eventually(`${count} are used`, () => server.used.length === count);

  it('is taken until what was received is no longer used, even if its caller has left', async () => {
    const left = new AbortController();
    const first = fetch(`${server.url}/a`, { method: 'POST', body: 'x'.repeat(50), signal: left.signal }).catch(String);
    await inUse(1);
    left.abort();
    await first;
    const second = await post('a', 'y'.repeat(20));
    expect([second.status, second.headers.get('retry-after')]).to.deep.equal([503, '1']);
    const other = post('b', 'z'.repeat(50));
    await inUse(2);
    expect((await post('c', 'z')).status).to.equal(503);
    server.end();
    expect(await (await other).text()).to.equal('z'.repeat(50));
    const again = post('a', 'y'.repeat(60));
    await inUse(1);
    server.end();
    expect((await again).status).to.equal(200);
  });

  it('is made by what has been arriving for the longest: of the same sender, or of anybody if all is taken', async () => {
    const begin = (sender: string, body: string) => {
      const connection = rawConnection(server.url);
      connection.send(`POST /${sender} HTTP/1.1`, 'host: test', 'content-length: 60', '', body);
      return connection;
    };
    const a = [begin('a', 'x'.repeat(50)), begin('a', 'x'.repeat(59))];
    const b = begin('b', 'x'.repeat(30));
    const pushedOut = (connections: RawConnection[]) =>
      connections.filter((one) => one.heard().startsWith('HTTP/1.1 503') && one.isClosed()).length;
    await eventually('the first of the sender makes room', () => pushedOut(a) === 1);
    expect(pushedOut([b])).to.equal(0);
    const c = post('c', 'y'.repeat(60));
    await inUse(1);
    await eventually('as many as needed make room', () => pushedOut([...a, b]) >= 2);
    server.end();
    expect((await c).status).to.equal(200);
  });
});
