import { createServer } from 'node:http';
import { expect } from 'chai';
import { backendOperations } from '#domain/api/index.ts';
import type { AnyOperation } from '#domain/api/operation.ts';
import { parseSettings } from '#domain/settings/settings.ts';
import { createNonce } from '#domain/signature.ts';
import { fixture } from '#test/support/fixtures/fixture.ts';
import { useBff } from '#test/support/fixtures/services.ts';
import { listen } from '#test/support/http/listen.ts';
import { clickEvent } from '#test/support/outreach/webhook-events.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { installed, signedCall, type TestIntegration } from '#test/support/services/bff.ts';
import { createLimits } from './limits.ts';

const ID = '01900000-0000-7000-8000-000000000001';

/** Every file that the backend makes, all that is known of one person included. */
const files = Object.values<AnyOperation>(backendOperations)
  .filter(({ path, responseType }) => responseType === 'text/csv' || path.endsWith('/export'))
  .map(({ path }) => `/api/v1${path.replaceAll(/\{\w+\}/g, ID)}`);

/** What is limited, and a call of each. */
const costly: [what: string, method: string, path: string, body?: object][] = [
  ['previews', 'POST', '/api/v1/audiences:preview', {}],
  ['explanations', 'POST', '/api/v1/audiences:explain', {}],
  ['dry runs', 'POST', `/api/v1/campaigns/${ID}:dry-run`, {}],
  ['backtests', 'POST', `/api/v1/smart-tag-rules/${ID}:backtest`, {}],
  ...files.map((path): [string, string, string] => [`exports: ${path.replaceAll(ID, ':id')}`, 'GET', path]),
  ['test sends', 'POST', `/api/v1/campaigns/${ID}:test-send`, {}],
  ['AI calls', 'POST', '/api/ai/copywriting', {}],
];

describe('limits', () => {
  const orders = fixture(async () => {
    const arrived: string[] = [];
    const server = createServer(({ url = '' }, response) => {
      arrived.push(url);
      response.setHeader('content-type', 'text/csv').end('');
    });
    const close = async () => {
      server.closeAllConnections();
      server.close();
    };
    return { value: { url: await listen(server), arrived }, close };
  });
  const bff = useBff(() => ({
    ordersUrl: orders.url,
    toolApiEnabled: true,
    limits: {
      TRUSTED_PROXIES: ['127.0.0.1'],
      LIMIT_SIGN_INS_PER_MINUTE: 3,
      LIMIT_WEBHOOKS_PER_SECOND: 5,
      LIMIT_PREVIEWS_PER_MINUTE: 2,
      LIMIT_BACKTESTS_PER_MINUTE: 2,
      LIMIT_DRY_RUNS_PER_MINUTE: 2,
      LIMIT_EXPORTS_PER_MINUTE: 2,
      LIMIT_TEST_SENDS_PER_MINUTE: 2,
      LIMIT_AI_CALLS_PER_MINUTE: 2,
    },
  }));
  let integration: TestIntegration;
  let other: TestIntegration;
  before(async () => {
    integration = await installed(bff);
    other = await installed(bff);
  });

  const tokenOf = (sub: string, { platformTenantId: tenantId } = integration) =>
    bff.identity.token({ tenantId, sub, roles: ['tenant_admin'] });
  async function call(token: string, method: string, path: string, body?: object) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return await fetch(`${bff.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  }

  for (const [what, method, path, body] of costly) {
    it(`${what}: more than its share gets a person 429 with Retry-After, and the backend no call`, async () => {
      const [own, foreign] = [await installed(bff), await installed(bff)];
      const token = await tokenOf('ada', own);
      const forwarded = path.replace('/api/v1', '/internal/v1').replace('/api/ai', '/internal/v1/ai');
      const arrived = () => bff.backend.calls.filter((one) => one.path === forwarded).length;
      const before = arrived();
      for (let count = 0; count < 2; count += 1) expect((await call(token, method, path, body)).status).to.equal(200);
      const refused = await call(token, method, path, body);
      expect(refused.status).to.equal(429);
      expect(((await refused.json()) as { code: string }).code).to.equal('rate_limited');
      expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
      expect(arrived() - before).to.equal(2);
      expect((await call(await tokenOf('bob', own), method, path, body)).status, 'somebody else').to.equal(200);
      expect((await call(await tokenOf('ada', foreign), method, path, body)).status, 'another tenant').to.equal(200);
    });
  }

  it('exports of orders: those of lists, of one person and of orders count together, however their address is written', async () => {
    const token = await tokenOf('clara');
    expect((await call(token, 'GET', '/api/v1/campaigns.csv')).status).to.equal(200);
    expect((await call(token, 'GET', '/transaction/v1/admin/orders.csv')).status).to.equal(200);
    for (const path of ['/transaction', '/api/v1/transaction'])
      for (const end of ['', '/', '?status=30']) {
        const refused = await call(token, 'GET', `${path}/v1/admin/orders.csv${end}`);
        expect(refused.status, `${path}${end}`).to.equal(429);
        expect(((await refused.json()) as { code: string }).code).to.equal('rate_limited');
        expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
      }
    expect((await call(token, 'GET', '/Transaction/v1/admin/orders.csv')).status, 'in another case').to.equal(404);
    expect(orders.arrived).to.deep.equal(['/transaction/v1/admin/orders.csv']);
    expect((await call(token, 'GET', '/transaction/v1/admin/orders')).status, 'the list').to.equal(200);
  });

  it('webhooks of an integration are 2,000 a second unless told otherwise', async () => {
    const limits = createLimits(parseSettings({}));
    expect((await limits.webhooks('one', 1500)).calls).to.equal(1500);
    const { calls, refusal } = await limits.webhooks('one', 600);
    expect([calls, refusal?.code]).to.deep.equal([500, 'rate_limited']);
    expect((await limits.webhooks('another', 2000)).calls).to.equal(2000);
  });

  it('a tenant may do as much as ten of its people', async () => {
    const third = await installed(bff);
    const statuses: number[] = [];
    for (let person = 0; person < 12; person += 1) {
      const token = await tokenOf(`person-${person}`, third);
      for (let count = 0; count < 2; count += 1) statuses.push((await call(token, 'GET', '/api/v1/tags.csv')).status);
    }
    expect(statuses).to.deep.equal([...Array<number>(20).fill(200), ...Array<number>(4).fill(429)]);
  });

  it('webhooks of an integration: those beyond can be sent again, and forged ones use up nothing', async () => {
    const send = (options: object, from = integration) => signedCall(bff, '/webhook', from, clickEvent(), options);
    const forged = await Promise.all(Array.from({ length: 20 }, () => send({ secret: 'another-secret' })));
    expect(new Set(forged.map(({ status }) => status))).to.deep.equal(new Set([401]));
    const events = bff.backend.events.size;
    const nonces = Array.from({ length: 12 }, createNonce);
    const sent = await Promise.all(nonces.map(async (nonce) => ({ nonce, response: await send({ nonce }) })));
    const refused = sent.filter(({ response }) => response.status === 429);
    expect(sent.length - refused.length).to.be.at.least(5);
    expect(refused).not.to.have.length(0);
    expect(bff.backend.events.size - events).to.equal(sent.length - refused.length);
    for (const { response } of refused) expect(response.headers.get('retry-after')).to.equal('1');
    expect((await send({}, other)).status, 'another integration').to.equal(200);
    const [again] = refused;
    await eventually('the same nonce is taken', async () => (await send({ nonce: again?.nonce })).status === 200);
  });

  it('sign-ins from one address: the issuer is not asked', async () => {
    const begin = (address = '198.51.100.1') =>
      fetch(`${bff.url}/api/v1/auth/login`, { redirect: 'manual', headers: { 'x-forwarded-for': address } });
    for (let count = 0; count < 3; count += 1) expect((await begin()).status).to.equal(302);
    const refused = await begin();
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
    expect(refused.headers.getSetCookie()).to.deep.equal([]);
    expect((await begin('198.51.100.2')).status, 'behind the same proxy').to.equal(302);
  });
});
