import { expect } from 'chai';
import { createKeyChecks } from '#clients/bff/key-checks.ts';
import { createKeyCallers } from '#api/orders/keys.ts';
import type { ShownApiKey } from '#domain/api/api-keys.ts';
import type { Problem } from '#domain/api/problem.ts';
import { fixture } from '../support/fixtures/fixture.ts';
import { useOrders } from '../support/fixtures/orders.ts';
import { useBff } from '../support/fixtures/services.ts';
import { call } from '../support/http/call.ts';
import { installed, INTERNAL_SECRET, type TestIntegration } from '../support/services/bff.ts';
import { eventually } from '../support/time/eventually.ts';

interface Reply {
  code: number;
}

describe('a key that the BFF made', function () {
  this.timeout(120_000);
  const asked: string[] = [];
  const shop = useOrders({
    worker: false,
    keyChecks: {
      check: (given) => {
        asked.push(given.keyId);
        return checks.check(given);
      },
    },
  });
  const bff = useBff(() => ({ ordersUrl: new URL(shop.base).origin }));
  const checks = fixture(() => {
    const client = createKeyChecks({ baseUrl: bff.url, secret: INTERNAL_SECRET });
    return Promise.resolve({ value: client, close: () => client.destroy() });
  });
  let own: TestIntegration;
  let admin: string;
  before(async () => {
    own = await installed(bff);
    const roles = ['tenant_admin', 'order_admin'];
    admin = await bff.identity.token({ tenantId: own.platformTenantId, sub: 'ada', roles });
  });

  const make = async (more: object = {}) => {
    const body = { name: 'Till', scopes: ['orders:read'], ...more };
    const made = await call<ShownApiKey>('POST', `${bff.url}/api/v1/api-keys`, { token: admin, body });
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    return made.body;
  };
  const places = () => [
    `${shop.base}/admin/orders`,
    `${bff.url}/transaction/v1/admin/orders`,
    `${bff.url}/api/v1/transaction/v1/admin/orders`,
  ];
  const codes = async (token: string) =>
    Promise.all(places().map(async (place) => (await call<Reply>('GET', place, { token })).body.code));
  const refusedWithin5s = async (key: string) => {
    const began = Date.now();
    await eventually('the key is refused', async () => (await codes(key)).every((code) => code === 90002));
    expect(Date.now() - began).to.be.below(5000);
  };

  it('works at the order service and through the BFF, which is asked once in a while', async () => {
    const { key, id } = await make();
    asked.length = 0;
    expect(await codes(key)).to.deep.equal([1000, 1000, 1000]);
    expect(await codes(key)).to.deep.equal([1000, 1000, 1000]);
    expect(asked).to.deep.equal([id]);
    const denied = await call<Reply>('GET', `${bff.url}/transaction/v1/admin/audit`, { token: key });
    expect([denied.status, denied.body.code]).to.deep.equal([403, 90003]);
    expect(await codes(`${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`)).to.deep.equal([90002, 90002, 90002]);
  });

  it('is refused within 5 s of being revoked, of its end, and of an uninstall', async () => {
    const revoked = await make();
    const expiring = await make();
    const kept = await make();
    for (const { key } of [revoked, expiring, kept]) expect(await codes(key)).to.deep.equal([1000, 1000, 1000]);
    await call('DELETE', `${bff.url}/api/v1/api-keys/${revoked.id}`, { token: admin });
    await bff.rows('api_key').where({ key_id: expiring.id }).update({ expires_at: new Date() });
    await refusedWithin5s(revoked.key);
    await refusedWithin5s(expiring.key);
    expect(await codes(kept.key)).to.deep.equal([1000, 1000, 1000]);
    const { tenantIntegrationId: id } = own;
    await bff.rows('tenant_integration').where({ tenant_integration_id: id }).update({ status: 'UNINSTALLED' });
    await refusedWithin5s(kept.key);
  });

  it('is not known to be right or wrong while the BFF is away: 503, and the answer is not kept', async () => {
    const quiet = { callsPerMinute: 100, logger: { warn: () => {} } };
    const away = createKeyChecks({ baseUrl: 'http://127.0.0.1:9', secret: INTERNAL_SECRET });
    const callers = createKeyCallers({ checks: away, ...quiet });
    const given = { keyId: '0197f7a0-0000-7000-8000-000000000000', secretHash: Buffer.alloc(32) };
    const failures = await Promise.all(
      [callers(given), callers(given)].map((one) => one.catch((error: Problem) => error)),
    );
    for (const failure of failures) expect(failure).to.include({ code: 'unavailable' });
    await away.destroy();
    let calls = 0;
    const check = () => {
      calls += 1;
      return calls === 1 ? Promise.reject(new Error('away')) : Promise.resolve(null);
    };
    const flaky = createKeyCallers({ checks: { check }, ...quiet });
    await flaky(given).catch(() => undefined);
    expect(await flaky(given)).to.equal(null);
    expect(calls).to.equal(2);
  });
});
