import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { ApiKey, ShownApiKey } from '#domain/api/api-keys.ts';
import type { NotedAudit } from '#domain/api/internal.ts';
import { parseKey } from '#domain/keys/key-text.ts';
import type { KeyScope } from '#domain/keys/scopes.ts';
import { useBff } from '#test/support/fixtures/services.ts';
import { call } from '#test/support/http/call.ts';
import { installed, INTERNAL_SECRET, startTestBff, type TestIntegration } from '#test/support/services/bff.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { sweepKeys } from '#db/bff/api-keys.ts';

const DAY_MS = 86_400_000;

describe('API keys', () => {
  const bff = useBff();
  let own: TestIntegration;
  let admin: string;
  before(async () => {
    own = await installed(bff);
    admin = await tokenOf(own);
  });
  beforeEach(async () => {
    await bff.rows('api_key').delete();
    bff.backend.calls.length = 0;
  });

  const tokenOf = ({ platformTenantId: tenantId }: TestIntegration, role = 'tenant_admin') =>
    bff.identity.token({ tenantId, sub: 'ada', roles: [role] });
  const at = (path: string) => `${bff.url}/api/v1${path}`;
  const make = async (scopes: KeyScope[], more: object = {}): Promise<ShownApiKey> => {
    const body = { name: 'Nightly report', scopes, ...more };
    const made = await call<ShownApiKey>('POST', at('/api-keys'), { token: admin, body });
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    return made.body;
  };
  const get = async (token: string, path = '/campaigns') => (await call('GET', at(path), { token })).status;
  const list = async (token = admin) => (await call<{ items: ApiKey[] }>('GET', at('/api-keys'), { token })).body.items;
  const noted = (action: string) =>
    bff.backend
      .of(/audit-entries$/)
      .flatMap(({ json }) => json['entries'] as NotedAudit[])
      .filter((entry) => entry.action === action);
  const tokensAsked = () => bff.backend.of(/\/tokens$/).map(({ json }) => json);

  it('are shown once, and stored as a hash alone', async () => {
    const made = await make(['campaigns:read']);
    expect(made.key.startsWith(made.prefix)).to.equal(true);
    const secret = made.key.slice(made.prefix.length);
    const [row] = await bff.rows('api_key');
    expect(row.secretHash.equals(createHash('sha256').update(secret).digest())).to.equal(true);
    expect(JSON.stringify([row, await list()])).not.to.contain(secret);
    expect(bff.log()).not.to.contain(secret);
    const { key: _, ...shown } = made;
    expect(await list()).to.deep.equal([shown]);
  });

  it('with a list of service numbers have it at the backend before they read anything', async () => {
    const { key, id, serviceNumberIds } = await make(['campaigns:read'], {
      serviceNumberIds: ['sn-2', 'sn-1', 'sn-2'],
    });
    expect(serviceNumberIds).to.deep.equal(['sn-1', 'sn-2']);
    expect((await list())[0]?.serviceNumberIds).to.deep.equal(['sn-1', 'sn-2']);
    const [entry] = noted('api_key.create');
    expect(entry?.after).to.deep.include({ serviceNumberIds: ['sn-1', 'sn-2'] });
    expect(await get(key)).to.equal(200);
    expect(tokensAsked()).to.have.length(1);
    expect(tokensAsked()[0]).to.deep.include({ userId: `key:${id}`, serviceNumberIds: ['sn-1', 'sn-2'] });
    expect((await make(['campaigns:read'])).serviceNumberIds).to.equal(null);
  });

  it('are not made with a service number that the tenant does not have', async () => {
    bff.backend.behave(({ path }) =>
      path.endsWith('/unknown-service-numbers') ? { status: 200, body: { unknown: ['sn-9'] } } : null,
    );
    const body = { name: 'x', scopes: ['campaigns:read'], serviceNumberIds: ['sn-1', 'sn-9'] };
    const refused = await call<{ errors: { path: string }[] }>('POST', at('/api-keys'), { token: admin, body });
    bff.backend.behave(() => null);
    expect([refused.status, refused.body.errors.map(({ path }) => path)]).to.deep.equal([422, ['/serviceNumberIds/1']]);
    expect(await list()).to.deep.equal([]);
  });

  it('call what their scopes name, as nobody who signs in, and nothing else', async () => {
    const { key, id } = await make(['campaigns:read', 'tags:write']);
    expect(await get(key)).to.equal(200);
    expect(tokensAsked()).to.have.length(1);
    expect(tokensAsked()[0]).to.deep.include({
      userId: `key:${id}`,
      name: 'Nightly report',
      role: 'marketing_operator',
      platformTenantId: own.platformTenantId,
    });
    expect(await get(key, '/tags')).to.equal(200);
    expect(await get(key, '/smart-tag-rules')).to.equal(403);
    expect((await call('POST', at('/campaigns'), { token: key, body: {} })).status).to.equal(403);
    for (const path of ['/me', '/sessions', '/api-keys', '/users', '/integration'])
      expect([path, await get(key, path)]).to.deep.equal([path, 403]);
    for (const path of ['/campaigns/c-1:approve', '/campaigns/c-1:reject'])
      expect((await call('POST', at(path), { token: key, body: {} })).status).to.equal(403);
    const reading = await make(['campaigns:read']);
    expect(await get(reading.key)).to.equal(200);
    expect(tokensAsked().at(-1)).to.deep.include({ role: 'viewer' });
  });

  it('of the order service are made by who manages orders as well, and reach nothing else', async () => {
    const body = { name: 'Till', scopes: ['orders:refund', 'orders:write'] };
    const ask = (token: string) => call<ShownApiKey>('POST', at('/api-keys'), { token, body });
    const orderAdmin = await bff.identity.token({ tenantId: own.platformTenantId, sub: 'ora', roles: ['order_admin'] });
    for (const token of [admin, orderAdmin]) {
      const refused = await ask(token);
      expect([refused.status, (refused.body as unknown as { code: string }).code]).to.deep.equal([403, 'forbidden']);
    }
    expect(await bff.rows('api_key')).to.deep.equal([]);
    await eventually('both refusals are noted', () => Promise.resolve(noted('access.refuse').length >= 2));
    const both = { tenantId: own.platformTenantId, sub: 'ada', roles: ['tenant_admin', 'order_admin'] };
    const made = await ask(await bff.identity.token(both));
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    for (const path of ['/campaigns', '/tags', '/smart-tag-rules', '/audit-log'])
      expect(await get(made.body.key, path), path).to.equal(403);
  });

  it('are said to work to the order service alone, while they do', async () => {
    const { key, id } = await make(['campaigns:read']);
    const given = parseKey(key);
    const body = { keyId: id, secretHash: given?.secretHash.toString('hex') };
    const check = (token: string, more: object = {}) =>
      call<{ key: object | null }>('POST', `${bff.url}/internal/v1/api-keys:check`, {
        token,
        body: { ...body, ...more },
      });
    for (const token of [admin, key, 'something-else']) expect((await check(token)).status).to.equal(401);
    const known = { name: 'Nightly report', platformTenantId: own.platformTenantId, scopes: ['campaigns:read'] };
    expect((await check(INTERNAL_SECRET)).body).to.deep.equal({ key: known });
    expect((await list())[0]?.lastUsedAt).not.to.equal(null);
    expect((await check(INTERNAL_SECRET, { secretHash: '0'.repeat(64) })).body).to.deep.equal({ key: null });
    await call('DELETE', at(`/api-keys/${id}`), { token: admin });
    expect((await check(INTERNAL_SECRET)).body).to.deep.equal({ key: null });
  });

  it('of which the secret or the id is wrong are refused like nobody', async () => {
    const { key, prefix } = await make(['campaigns:read']);
    const other = await make(['campaigns:read']);
    const swapped = `${prefix}${other.key.slice(other.prefix.length)}`;
    for (const wrong of [`${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`, swapped, key.slice(0, -1), prefix])
      expect(await get(wrong)).to.equal(401);
    expect(await get(key)).to.equal(200);
  });

  it('end at once when they are revoked, when they expire, and with the installation, for good', async () => {
    const revoked = await make(['campaigns:read']);
    const kept = await make(['campaigns:read']);
    expect(await get(revoked.key)).to.equal(200);
    const remove = () => call('DELETE', at(`/api-keys/${revoked.id}`), { token: admin });
    expect((await remove()).status).to.equal(204);
    expect((await remove()).status).to.equal(204);
    expect([await get(revoked.key), await get(kept.key)]).to.deep.equal([401, 200]);
    const expiring = await make(['campaigns:read'], { expiresAt: new Date(Date.now() + DAY_MS).toISOString() });
    expect(await get(expiring.key)).to.equal(200);
    await bff.rows('api_key').where({ key_id: expiring.id }).update({ expires_at: new Date() });
    expect(await get(expiring.key)).to.equal(401);
    expect((await list()).map(({ status }) => status)).to.deep.equal(['expired', 'active', 'revoked']);

    const { tenantIntegrationId: id, platformTenantId } = own;
    await bff.rows('tenant_integration').where({ tenant_integration_id: id }).update({ status: 'UNINSTALLED' });
    expect(await get(kept.key)).to.equal(401);
    await bff.rows('tenant_mapping').where({ platform_tenant_id: platformTenantId }).delete();
    own = await installed(bff, { platformTenantId });
    expect(await get(admin)).to.equal(200);
    expect(await get(kept.key)).to.equal(401);
  });

  it('are an administrator’s to make, see and revoke, of the own tenant alone', async () => {
    const { id, key } = await make(['campaigns:read']);
    const operator = await tokenOf(own, 'marketing_operator');
    const stranger = await tokenOf(await installed(bff));
    const body = { name: 'n', scopes: ['campaigns:read'] };
    expect((await call('POST', at('/api-keys'), { token: operator, body })).status).to.equal(403);
    expect((await call('DELETE', at(`/api-keys/${id}`), { token: operator })).status).to.equal(403);
    expect((await call('DELETE', at(`/api-keys/${id}`), { token: stranger })).status).to.equal(404);
    expect(await list(stranger)).to.deep.equal([]);
    expect(await get(key)).to.equal(200);
  });

  it('are in the audit log before they work: who made them, who revoked them, and what they were refused', async () => {
    const { id, key } = await make(['campaigns:read']);
    expect(noted('api_key.create')).to.have.length(1);
    expect(noted('api_key.create')[0]).to.deep.include({ actor: 'ada', objectType: 'api_key', objectId: id });
    expect(await get(key, '/users')).to.equal(403);
    await eventually('the refusal', () => noted('access.refuse').some(({ actor }) => actor === `key:${id}`));
    await call('DELETE', at(`/api-keys/${id}`), { token: admin });
    const revoked = await eventually('the revocation', () =>
      noted('api_key.revoke').find(({ objectId }) => objectId === id),
    );
    expect(revoked).to.deep.include({ actor: 'ada', objectType: 'api_key' });
    bff.backend.behave(async ({ path }) => (path.endsWith('/audit-entries') ? { status: 503, body: {} } : null));
    const refused = await call('POST', at('/api-keys'), { token: admin, body: { name: 'n', scopes: ['tags:read'] } });
    bff.backend.behave(async () => null);
    expect(refused.status).to.equal(503);
    expect(await list()).to.have.length(1);
  });

  it('are refused with an end in the past, a scope that there is not, and as the 51st', async () => {
    const tried = async (body: object) => (await call('POST', at('/api-keys'), { token: admin, body })).status;
    const good = { name: 'n', scopes: ['tags:read'] };
    expect(await tried({ ...good, expiresAt: new Date(Date.now() - 1).toISOString() })).to.equal(422);
    for (const bad of [
      { scopes: ['users:write'] },
      { scopes: [] },
      { name: ' ' },
      { scopes: ['tags:read', 'tags:read'] },
    ])
      expect(await tried({ ...good, ...bad })).to.equal(400);
    const [, ...rest] = await Promise.all(Array.from({ length: 51 }, () => tried(good))).then((all) => all.toSorted());
    expect(rest.filter((status) => status === 409)).to.have.length(1);
    expect(await bff.rows('api_key')).to.have.length(50);
  });

  it('are limited in how often they call, each for itself', async () => {
    const limited = await startTestBff({ sharing: bff, limits: { LIMIT_API_KEY_CALLS_PER_MINUTE: 2 } });
    try {
      const [one, two] = [await make(['campaigns:read']), await make(['campaigns:read'])];
      const statuses = [];
      for (const { key } of [one, one, one, two])
        statuses.push((await call('GET', `${limited.url}/api/v1/campaigns`, { token: key })).status);
      expect(statuses).to.deep.equal([200, 200, 429, 200]);
    } finally {
      await limited.close();
    }
  });

  it('say when they were last used, and are forgotten 90 days after their end', async () => {
    const [used, old, never] = [await make(['tags:read']), await make(['tags:read']), await make(['tags:read'])];
    expect(await get(used.key, '/tags')).to.equal(200);
    await call('DELETE', at(`/api-keys/${old.id}`), { token: admin });
    const lastUsed = Object.fromEntries((await list()).map(({ id, lastUsedAt }) => [id, lastUsedAt !== null]));
    expect(lastUsed).to.deep.equal({ [used.id]: true, [old.id]: false, [never.id]: false });
    expect(await sweepKeys(bff.database)).to.equal(0);
    const revokedAt = new Date(Date.now() - 91 * DAY_MS);
    await bff.rows('api_key').where({ key_id: old.id }).update({ revoked_at: revokedAt });
    expect(await sweepKeys(bff.database)).to.equal(1);
    expect((await list()).map(({ id }) => id)).to.have.members([used.id, never.id]);
  });
});
