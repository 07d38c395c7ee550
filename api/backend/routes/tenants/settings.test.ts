import { expect } from 'chai';
import type { FieldError } from '#domain/api/problem.ts';
import { contactId } from '#test/support/services/backend.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';

describe('settings of a tenant', () => {
  const backend = useTwoTenants({ contacts: 3 });
  const path = '/tenant-settings';
  const without = ({ body: { etag: _etag, ...settings } }: { body: Record<string, unknown> }) => settings;

  it('are off until an administrator changes them, each tenant for itself, and the audit log says who did', async () => {
    const viewer = await backend.token('a', 'viewer', 'vera');
    const admin = await backend.token('a', 'tenant_admin', 'ada');
    const read = async (token: string) => without(await backend.call('GET', path, { token }));
    const off = {
      viewersSeeContactPanel: false,
      sendsNeedApproval: null,
      testContacts: [],
      utm: null,
      quietHours: null,
      automationsPerContactPerDay: 3,
      controlGroup: null,
    };
    const on = { ...off, viewersSeeContactPanel: true };
    expect(await read(viewer)).to.deep.equal(off);
    const body = { viewersSeeContactPanel: true };
    for (const token of [viewer, backend.operator])
      expect((await backend.call('PATCH', path, { token, body })).status).to.equal(403);
    expect(await read(viewer)).to.deep.equal(off);
    expect(without(await backend.call('PATCH', path, { token: admin, body }))).to.deep.equal(on);
    expect(await read(viewer)).to.deep.equal(on);
    expect(await read(backend.foreign)).to.deep.equal(off);
    const entries = await backend.db('audit_log').where({ action: 'integration.settings' });
    expect(entries).to.have.length(1);
    expect(entries[0]).to.deep.include({ actor: 'ada', before: off, after: on });
    expect((await backend.call('PATCH', path, { token: admin, body: {} })).status).to.equal(400);
  });

  it('limit to how many contacts one person sends, each setting for itself', async () => {
    const token = await backend.token('b', 'tenant_admin', 'bea');
    const change = (body: object) => backend.call('PATCH', path, { token, body });
    for (const sendsNeedApproval of [0, -1, 1.5, '5'])
      expect((await change({ sendsNeedApproval })).status, String(sendsNeedApproval)).to.equal(400);
    expect((await change({ sendsNeedApproval: 5000 })).body).to.include({ sendsNeedApproval: 5000 });
    expect(without(await change({ viewersSeeContactPanel: true }))).to.deep.equal({
      viewersSeeContactPanel: true,
      sendsNeedApproval: 5000,
      testContacts: [],
      utm: null,
      quietHours: null,
      automationsPerContactPerDay: 3,
      controlGroup: null,
    });
    expect((await change({ sendsNeedApproval: null })).body).to.include({ sendsNeedApproval: null });
    const [entry] = await backend.db('audit_log').where({ action: 'integration.settings', actor: 'bea' });
    expect([entry.before.sendsNeedApproval, entry.after.sendsNeedApproval]).to.deep.equal([null, 5000]);
  });

  it('name whom test sends may reach, each once, and nobody unknown', async () => {
    const token = await backend.token('a', 'tenant_admin', 'tom');
    const of = (n: number, serviceNumberId = 'sn-1') => ({ serviceNumberId, contactId: contactId(n) });
    const change = (testContacts: unknown) => backend.call('PATCH', path, { token, body: { testContacts } });
    const kept = async () => (await backend.call('GET', path, { token })).body.testContacts;
    expect((await change([of(1), of(2), of(1)])).body.testContacts).to.deep.equal([of(1), of(2)]);
    const refused = await change([of(1), of(1, 'sn-9'), of(9)]);
    expect([refused.status, refused.body.errors.map((error: FieldError) => error.path)]).to.deep.equal([
      422,
      ['/testContacts/1/serviceNumberId', '/testContacts/2/contactId'],
    ]);
    expect((await change(Array.from({ length: 51 }, () => of(1)))).status).to.equal(400);
    expect((await change([{ serviceNumberId: 'sn-1' }])).status).to.equal(400);
    expect(await kept()).to.deep.equal([of(1), of(2)]);
    expect((await change([of(3)])).body.testContacts).to.deep.equal([of(3)]);
    await backend.call('PATCH', path, { token, body: { viewersSeeContactPanel: false } });
    expect(await kept()).to.deep.equal([of(3)]);
    expect((await change([])).body.testContacts).to.deep.equal([]);
  });
});
