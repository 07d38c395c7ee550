import { expect } from 'chai';
import { campaignBody, insertContacts } from '#test/support/services/backend.ts';
import { beginOutboundCall } from '#db/outreach/tenants/outbound-calls.ts';
import { readSigningSecrets } from '#db/outreach/tenants/integrations.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { useBackend } from '#test/support/fixtures/services.ts';

describe('tenant integrations', () => {
  const backend = useBackend();

  const secretsOf = (tenantId: string) => readSigningSecrets(backend.db, backend.encryption, tenantId);
  const catalogue = (tenantId: string) =>
    backend
      .db('service_number_catalog')
      .where({ tenant_id: tenantId })
      .orderBy('service_number_id')
      .select('service_number_id', 'status');

  it('stores tenant, service numbers and the encrypted secret once, however often it is called', async () => {
    const first = await backend.install('a');
    const second = await backend.install('a');
    expect(first.status).to.equal(200);
    expect(first.body.status).to.equal('ACTIVE');
    expect(second.body).to.deep.equal(first.body);
    const rows = await backend.db('tenant_integration').where({ tenant_id: 'a' });
    expect(rows).to.have.length(1);
    expect(JSON.stringify(rows)).not.to.contain('secret-of-a');
    expect((await secretsOf('a'))?.current).to.match(/^secret-of-a/);
    expect(await backend.db('audit_log').where({ tenant_id: 'a', action: 'integration.install' })).to.have.length(1);
  });

  it('rejects another integration of an active tenant, and another tenant of an integration', async () => {
    await backend.install('b');
    expect((await backend.install('b', { tenantIntegrationId: 'ti-b2' })).status).to.equal(409);
    expect((await backend.install('b2', { tenantIntegrationId: 'ti-b' })).status).to.equal(409);
  });

  it('gives an id that many tenants install at once to one of them; the others get 409 and change nothing', async () => {
    for (let round = 0; round < 5; round += 1) {
      const tenantIntegrationId = `ti-raced-${round}`;
      const tenants = Array.from({ length: 8 }, (_, n) => `racer-${round}-${n}`);
      const secretFor = (tenantId: string) => `secret-of-${tenantId}`.padEnd(40, '-');
      const statuses = await Promise.all(
        tenants.map(
          async (tenantId) =>
            (await backend.install(tenantId, { tenantIntegrationId, secret: secretFor(tenantId) })).status,
        ),
      );
      const row = await backend.db('tenant_integration').where({ tenant_integration_id: tenantIntegrationId }).first();
      expect(statuses).to.deep.equal(tenants.map((tenantId) => (tenantId === row.tenantId ? 200 : 409)));
      expect((await secretsOf(row.tenantId))?.current).to.equal(secretFor(row.tenantId));
      const stored = await backend.db('tenant').whereIn('tenant_id', tenants).select('tenant_id');
      expect(stored.map((one: { tenantId: string }) => one.tenantId)).to.deep.equal([row.tenantId]);
      expect(await backend.db('audit_log').where({ object_id: tenantIntegrationId })).to.have.length(1);
    }
  });

  it('replaces the service numbers with a patch; removed ones become inactive', async () => {
    await backend.install('c');
    const response = await backend.service('PATCH', '/tenant-integrations/ti-c', {
      serviceNumbers: [
        { serviceNumberId: 'sn-2', name: 'Renamed' },
        { serviceNumberId: 'sn-9', name: 'New' },
      ],
    });
    expect(response.body).to.deep.equal({ status: 'ACTIVE' });
    expect(await catalogue('c')).to.deep.equal([
      { serviceNumberId: 'sn-1', status: 'inactive' },
      { serviceNumberId: 'sn-2', status: 'active' },
      { serviceNumberId: 'sn-9', status: 'active' },
    ]);
  });

  it('rotates, keeps the replaced secret, and accepts the same rotation only once', async () => {
    await backend.install('d');
    const rotate = (newSecret: string, rotatedAt: string | null) =>
      backend.service('POST', '/tenant-integrations/ti-d:rotate', { newSecret, rotatedAt });
    const one = await rotate('n'.repeat(40), '2026-01-01T00:00:00.000Z');
    const again = await rotate('n'.repeat(40), '2026-02-02T00:00:00.000Z');
    expect(again.body).to.deep.equal(one.body).and.to.deep.equal({ rotatedAt: '2026-01-01T00:00:00.000Z' });
    expect(await secretsOf('d')).to.include({ current: 'n'.repeat(40), previous: 'secret-of-d'.padEnd(40, '-') });
    await rotate('secret-of-d'.padEnd(40, '-'), null);
    expect(await secretsOf('d')).to.include({ current: 'secret-of-d'.padEnd(40, '-'), previous: 'n'.repeat(40) });
  });

  it('A10: a pause that the BFF was asked for pauses the calls of the backend, and never becomes shorter', async () => {
    await backend.install('paused');
    const path = '/platform-pauses/ti-paused';
    const begin = () => beginOutboundCall(backend.db, backend.encryption, { tenantId: 'paused', now: new Date() });
    expect((await backend.service('GET', path)).body).to.deep.equal({ pausedMs: 0 });
    for (const pausedMs of [60_000, 1000]) await backend.service('POST', path, { pausedMs });
    expect((await backend.service('GET', path)).body.pausedMs).to.be.within(30_000, 60_000);
    expect(await begin()).to.have.property('pausedUntil');
    expect(await backend.db('outbound_call')).to.deep.equal([]);
  });

  it('uninstalls when nothing is in flight, and finds the data after a reinstall', async () => {
    const first = await backend.install('e');
    await insertContacts(backend.db, 'e', 3);
    const token = await backend.token('e');
    const created = await backend.call('POST', '/campaigns', { token, body: campaignBody() });
    const { id } = created.body;
    await backend.call('POST', `/campaigns/${id}:send`, { token });
    await backend.db('broadcast_task').where({ campaign_id: id }).update({ status: 'sending' });
    const call = await beginOutboundCall(backend.db, backend.encryption, { tenantId: 'e', now: new Date() });
    const uninstalling = backend.service('POST', '/tenant-integrations/ti-e:uninstall', {});
    await eventually('the integration is marked', async () => {
      const row = await backend.db('tenant_integration').where({ tenant_id: 'e' }).first();
      return row.status === 'UNINSTALLED';
    });
    const unanswered = Symbol('unanswered');
    expect(await Promise.race([uninstalling, Promise.resolve(unanswered)])).to.equal(unanswered);
    if (call && 'end' in call) await call.end();
    expect((await uninstalling).body).to.deep.equal({ status: 'UNINSTALLED' });
    const kept = await backend.db('tenant_integration').where({ tenant_id: 'e' }).first();
    expect([kept.secretEncrypted, kept.previousSecretEncrypted]).to.deep.equal([null, null]);
    const campaign = await backend.db('campaign').where({ campaign_id: id }).first();
    const task = await backend.db('broadcast_task').where({ campaign_id: id }).first();
    expect([campaign.status, task.status]).to.deep.equal(['cancelled', 'sending']);

    expect((await backend.call('GET', '/campaigns', { token })).status).to.equal(403);
    const rejected = await backend.service('POST', '/tokens', {
      platformTenantId: 'e',
      externalTenantId: first.body.externalTenantId,
      userId: 'u',
      name: 'U',
      role: 'viewer',
    });
    expect([rejected.status, rejected.body.code]).to.deep.equal([403, 'forbidden']);
    expect((await backend.install('e')).status).to.equal(410);
    const patch = await backend.service('PATCH', '/tenant-integrations/ti-e', { tenant: { name: 'x' } });
    expect([patch.status, patch.body.code]).to.deep.equal([410, 'gone']);
    expect((await backend.service('POST', '/tenant-integrations/ti-e:uninstall', {})).status).to.equal(200);

    const again = await backend.install('e', { tenantIntegrationId: 'ti-e-2' });
    expect(again.body.externalTenantId).to.equal(first.body.externalTenantId);
    const list = await backend.call('GET', '/campaigns', { token: await backend.token('e') });
    expect(list.body.items.map((item: { id: string }) => item.id)).to.deep.equal([id]);
  });

  it('responds 401 without the services’ secret, 404 for unknown integrations', async () => {
    expect((await backend.call('PATCH', '/tenant-integrations/x', { token: 'wrong', body: {} })).status).to.equal(401);
    expect((await backend.call('PATCH', '/tenant-integrations/x', { body: {} })).status).to.equal(401);
    expect((await backend.service('PATCH', '/tenant-integrations/x', {})).status).to.equal(404);
    expect((await backend.service('POST', '/tenant-integrations/x:uninstall', {})).status).to.equal(404);
    expect((await backend.service('PUT', '/tenant-integrations/x', { platformTenantId: 'x' })).status).to.equal(400);
  });
});
