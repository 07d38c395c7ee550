import { expect } from 'chai';
import { useTwoTenants } from '#test/support/fixtures/services.ts';

describe('the service numbers of a person', () => {
  const backend = useTwoTenants({ contacts: 2 });
  let admin: string;
  const put = (userId: string, serviceNumberIds: unknown, token = admin) =>
    backend.call('PUT', `/users/${userId}/service-numbers`, { token, body: { serviceNumberIds } });
  const seen = async (token: string) => {
    const { body } = await backend.call('GET', '/service-numbers', { token });
    return (body.items as { serviceNumberId: string }[]).map(({ serviceNumberId }) => serviceNumberId);
  };

  before(async () => {
    admin = await backend.token('a', 'tenant_admin', 'ada');
  });

  it('hold from the next request on, for tokens that were issued before', async () => {
    const token = await backend.token('a', 'viewer', 'vera');
    expect(await seen(token)).to.deep.equal(['sn-1', 'sn-2']);
    const { status, body } = await put('vera', ['sn-2', 'sn-2']);
    expect([status, body.name, body.role, body.serviceNumberIds]).to.deep.equal([200, 'Ada', 'viewer', ['sn-2']]);
    expect(await seen(token)).to.deep.equal(['sn-2']);
    expect((await put('vera', [])).body.serviceNumberIds).to.deep.equal([]);
    expect(await seen(token)).to.deep.equal([]);
    expect((await put('vera', null)).body.serviceNumberIds).to.equal(null);
    expect(await seen(token)).to.deep.equal(['sn-1', 'sn-2']);
  });

  it('may be put for somebody who has not signed in yet', async () => {
    const { body } = await put('new', ['sn-1']);
    expect(body).to.deep.equal({
      userId: 'new',
      platformUserId: 'new',
      name: 'new',
      role: null,
      roles: [],
      lastSignInAt: null,
      serviceNumberIds: ['sn-1'],
    });
    const { body: users } = await backend.call('GET', '/users', { token: admin });
    expect(users.items).to.deep.include(body);
    expect(await seen(await backend.token('a', 'viewer', 'new'))).to.deep.equal(['sn-1']);
    const answer = await backend.service('POST', '/service-numbers-of', { platformTenantId: 'a', userId: 'new' });
    expect(answer.body).to.deep.equal({ serviceNumberIds: ['sn-1'] });
  });

  it('do not hold for an administrator, and do once the role is gone', async () => {
    await put('eve', ['sn-1']);
    expect(await seen(await backend.token('a', 'tenant_admin', 'eve'))).to.deep.equal(['sn-1', 'sn-2']);
    expect(await seen(await backend.token('a', 'marketing_operator', 'eve'))).to.deep.equal(['sn-1']);
  });

  it('are those of the tenant, at most 1,000, and an administrator’s to say', async () => {
    const refused = await put('vera', ['sn-1', 'sn-of-nobody']);
    expect([refused.status, refused.body.errors[0].path, refused.body.errors[0].code]).to.deep.equal([
      422,
      '/serviceNumberIds/1',
      'unknown_service_number',
    ]);
    for (const given of [Array(1001).fill('sn-1'), 'sn-1', [1], undefined])
      expect((await put('vera', given)).status, JSON.stringify(given)?.slice(0, 20)).to.equal(400);
    expect((await put('vera', ['sn-1'], backend.operator)).status).to.equal(403);
    expect((await put('key:01990000-0000-7000-8000-000000000000', ['sn-1'])).status).to.equal(404);
    expect(await backend.db('service_number_right').where({ actor: 'vera' })).to.deep.equal([]);
  });

  it('are in the audit log, with those before, as far as the reader sees their numbers', async () => {
    await put('logged', ['sn-1']);
    await put('logged', ['sn-1']);
    await put('logged', ['sn-2']);
    const entries = async (token: string) => {
      const { body } = await backend.call('GET', '/audit-log?objectType=user&objectId=logged', { token });
      return body.items.map(({ action, before, after }: Record<string, unknown>) => ({ action, before, after }));
    };
    const first = {
      action: 'user.service_numbers',
      before: { serviceNumberIds: null },
      after: { serviceNumberIds: ['sn-1'] },
    };
    const second = { ...first, before: first.after, after: { serviceNumberIds: ['sn-2'] } };
    expect(await entries(admin)).to.deep.equal([second, first]);
    await put('reader', ['sn-1']);
    const reader = await backend.token('a', 'viewer', 'reader');
    expect(await entries(reader)).to.deep.equal([first]);
    const { body: users } = await backend.call('GET', '/users', { token: reader });
    const logged = users.items.find(({ userId }: { userId: string }) => userId === 'logged');
    expect(logged.serviceNumberIds).to.deep.equal([]);
  });

  it('leave out test contacts of others in the settings, and contacts of others in sums', async () => {
    await backend.db('contact_profile').insert(
      ['sn-1', 'sn-2'].map((serviceNumberId) => ({
        tenantId: 'a',
        serviceNumberId,
        contactId: 'tester',
        followState: 'following',
        lastEventAt: new Date(),
      })),
    );
    const testContacts = ['sn-1', 'sn-2'].map((serviceNumberId) => ({ serviceNumberId, contactId: 'tester' }));
    await backend.call('PATCH', '/tenant-settings', { token: admin, body: { testContacts } });
    await put('reader', ['sn-2']);
    const reader = await backend.token('a', 'viewer', 'reader');
    const { body } = await backend.call('GET', '/tenant-settings', { token: reader });
    expect(body.testContacts).to.deep.equal([testContacts[1]]);
    const { body: entries } = await backend.call('GET', '/audit-log?objectType=integration', { token: reader });
    expect(JSON.stringify(entries)).not.to.contain('sn-1');
  });
});
