import { createServer, type Server } from 'node:http';
import { expect } from 'chai';
import Koa from 'koa';
import { listen } from '#test/support/http/listen.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { healthRoutes } from './health.ts';

describe('/readyz', () => {
  let server: Server;
  let looks = 0;
  let reason: string | null = null;
  let address: string;
  /** Of what is only said, and would never answer. */
  const said = 'no response within 500 ms';

  before(async () => {
    const database = () => {
      looks += 1;
      return reason === null ? Promise.resolve() : Promise.reject(new Error(reason));
    };
    const never = () => new Promise<void>(() => undefined);
    const health = { checks: { database }, notices: { temporal: never } };
    server = createServer(new Koa().use(healthRoutes(health).routes()).callback());
    address = await listen(server);
  });
  after(() => server.close());

  const ask = async (headers: Record<string, string> = {}) => {
    const response = await fetch(`${address}/readyz`, { headers });
    return [response.status, await response.json()];
  };

  /** How often at most it may have looked since then, on a machine of any speed. */
  const looksSince = (began: number) => 1 + Math.floor((performance.now() - began) / 1000);
  const becomesUnready = () =>
    eventually('it has looked again', async () => (await ask())[0] === 503, { timeoutMs: 30_000 });

  it('looks once for everybody who asks within a second, and again after it', async () => {
    const began = performance.now();
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask()));
    const checks = { database: 'ok', temporal: said };
    for (const answer of answers) expect(answer).to.deep.equal([200, { status: 'ready', checks }]);
    expect(looks).to.be.within(1, looksSince(began));
    reason = 'connect ECONNREFUSED 10.0.0.7:5432';
    const before = looks;
    await becomesUnready();
    expect(looks).to.be.within(before + 1, looksSince(began));
  });

  it('tells the reason on this machine, and to strangers only what is unavailable', async () => {
    reason = 'connect ECONNREFUSED 10.0.0.7:5432';
    await becomesUnready();
    const of = (database: string, temporal: string) => [503, { status: 'not ready', checks: { database, temporal } }];
    expect(await ask()).to.deep.equal(of('connect ECONNREFUSED 10.0.0.7:5432', said));
    const forwarded: Record<string, string>[] = [
      { 'x-forwarded-for': '203.0.113.9' },
      { forwarded: 'for=203.0.113.9' },
    ];
    for (const header of forwarded) expect(await ask(header)).to.deep.equal(of('unavailable', 'unavailable'));
  });
});
