import { expect } from 'chai';
import { SignJWT } from 'jose';
import { externalTenantOf, INTERNAL_SECRET } from '#test/support/services/backend.ts';
import { useBackend } from '#test/support/fixtures/services.ts';

describe('tokens', () => {
  const backend = useBackend();
  before(async () => {
    await backend.install('a');
    await backend.install('b');
    body.externalTenantId = await externalTenantOf(backend.db, 'a');
  });

  const body = { platformTenantId: 'a', externalTenantId: '', userId: 'u1', name: 'Ada', role: 'viewer' };
  const me = (token: string) => backend.call('GET', '/service-numbers', { token });

  it('issues a token for at most five minutes and writes the user record', async () => {
    const before = Date.now();
    const response = await backend.service('POST', '/tokens', body);
    expect(response.status).to.equal(200);
    expect(Date.parse(response.body.expiresAt)).to.be.within(before, Date.now() + 300_000);
    expect((await me(response.body.token)).body.items).to.deep.equal([
      { serviceNumberId: 'sn-1', name: 'Main', status: 'active' },
      { serviceNumberId: 'sn-2', name: 'Second', status: 'active' },
    ]);
    await backend.service('POST', '/tokens', { ...body, name: 'Ada L', role: 'tenant_admin' });
    const users = await backend.db('app_user').where({ tenant_id: 'a', platform_user_id: 'u1' });
    expect(users.map(({ name, role }) => [name, role])).to.deep.equal([['Ada L', 'tenant_admin']]);
  });

  it('rejects a tenant without an active integration', async () => {
    const response = await backend.service('POST', '/tokens', { ...body, platformTenantId: 'nobody' });
    expect([response.status, response.body.code]).to.deep.equal([403, 'forbidden']);
    expect(await backend.db('app_user').where({ tenant_id: 'nobody' })).to.have.length(0);
  });

  it('rejects a mapping to another tenant, and writes nothing about the person in either', async () => {
    const crossed = { ...body, userId: 'crossing', externalTenantId: await externalTenantOf(backend.db, 'b') };
    for (const externalTenantId of [crossed.externalTenantId, 'nowhere']) {
      const response = await backend.service('POST', '/tokens', { ...crossed, externalTenantId });
      expect([response.status, response.body.code]).to.deep.equal([403, 'forbidden']);
    }
    expect(await backend.db('app_user').where({ platform_user_id: 'crossing' })).to.have.length(0);
  });

  it('rejects a token that expired, was signed with another key or is malformed', async () => {
    const token = await backend.token('a');
    backend.setNow(new Date(Date.now() + 301_000));
    expect((await me(token)).status).to.equal(401);
    backend.setNow(null);
    expect((await me(token)).status).to.equal(200);
    const forged = await new SignJWT({ tenantId: 'a', role: 'tenant_admin' })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('u')
      .setAudience('outreach-backend')
      .setExpirationTime('5m')
      .sign(new TextEncoder().encode(INTERNAL_SECRET));
    for (const bad of [forged, 'x', INTERNAL_SECRET, `${token}a`]) expect((await me(bad)).status).to.equal(401);
    expect((await backend.call('POST', '/tokens', { token, body })).status).to.equal(401);
  });

  it('lets a viewer only read', async () => {
    const viewer = await backend.token('a', 'viewer', 'v');
    expect((await backend.call('GET', '/tags', { token: viewer })).status).to.equal(200);
    for (const [method, path] of [
      ['POST', '/tags'],
      ['POST', '/campaigns'],
      ['POST', '/audiences'],
      ['POST', '/campaigns/x:send'],
      ['DELETE', '/tags/x'],
    ] as const) {
      expect((await backend.call(method, path, { token: viewer, body: {} })).body.code, path).to.equal('forbidden');
    }
  });
});
