import { expect } from 'chai';
import { useTwoTenants } from '../../../../test/support/fixtures/services.ts';

describe('settings of a tenant', () => {
  const backend = useTwoTenants({ contacts: 0 });
  const path = '/tenant-settings';

  it('are off until an administrator changes them, each tenant for itself, and the audit log says who did', async () => {
    const viewer = await backend.token('a', 'viewer', 'vera');
    const admin = await backend.token('a', 'tenant_admin', 'ada');
    const read = async (token: string) => (await backend.call('GET', path, { token })).body;
    expect(await read(viewer)).to.deep.equal({ viewersSeeContactPanel: false });
    const body = { viewersSeeContactPanel: true };
    for (const token of [viewer, backend.operator])
      expect((await backend.call('PATCH', path, { token, body })).status).to.equal(403);
    expect(await read(viewer)).to.deep.equal({ viewersSeeContactPanel: false });
    expect((await backend.call('PATCH', path, { token: admin, body })).body).to.deep.equal(body);
    expect(await read(viewer)).to.deep.equal(body);
    expect(await read(backend.foreign)).to.deep.equal({ viewersSeeContactPanel: false });
    const entries = await backend.db('audit_log').where({ action: 'integration.settings' });
    expect(entries).to.have.length(1);
    expect(entries[0]).to.deep.include({ actor: 'ada', before: { viewersSeeContactPanel: false }, after: body });
    expect((await backend.call('PATCH', path, { token: admin, body: {} })).status).to.equal(400);
  });
});
