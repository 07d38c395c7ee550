import { expect } from 'chai';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { seedTenant } from '#test/support/outreach/rows.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { findToolToken, revokeToolToken, storeToolToken } from './tool-tokens.ts';

describe('a token for tools', () => {
  const database = useDatabase('outreach');

  it('is found and revoked by its tenant alone', async () => {
    const now = new Date();
    const { tenantId } = await seedTenant(database, testEncryption);
    const { tenantId: other } = await seedTenant(database, testEncryption);
    const token = { tokenId: 't-1', actor: 'u1', tools: ['dispatch_campaign' as const] };
    await storeToolToken(database, tenantId, { ...token, expiresAt: new Date(now.getTime() + 60_000) }, now);
    expect(await findToolToken(database, other, 't-1')).to.equal(null);
    expect(await revokeToolToken(database, other, 't-1', now)).to.equal('unknown');
    expect(await findToolToken(database, tenantId, 't-1')).to.include({ actor: 'u1', revokedAt: null });
    expect(await revokeToolToken(database, tenantId, 't-1', now)).to.equal('now');
    expect(await revokeToolToken(database, tenantId, 't-1', now)).to.equal('before');
  });
});
