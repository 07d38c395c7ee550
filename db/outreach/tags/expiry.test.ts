import { expect } from 'chai';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { seedTenant } from '#test/support/outreach/rows.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { expireTags } from './expiry.ts';

describe('a temporary tag', () => {
  const database = useDatabase('outreach');

  it('is marked as expired from its time on, once, and not if it is archived', async () => {
    const { tenantId } = await seedTenant(database, testEncryption);
    const now = new Date();
    const tag = (name: string, fields: Record<string, unknown>) => ({
      tag_id: name,
      tenant_id: tenantId,
      service_number_id: 'sn-1',
      name,
      source: 'app_manual',
      kind: 'temporary',
      status: 'active',
      expires_at: now,
      ...fields,
    });
    await database('tag').insert([
      tag('now', {}),
      tag('later', { expires_at: new Date(now.getTime() + 1) }),
      tag('archived', { status: 'archived', archived_at: now }),
      tag('permanent', { kind: 'permanent', expires_at: null }),
    ]);
    expect(await expireTags(database, { now, limit: 10 })).to.equal(1);
    expect(await expireTags(database, { now, limit: 10 })).to.equal(0);
    expect(await database('tag').where({ status: 'expired' }).pluck('tag_id')).to.deep.equal(['now']);
    expect(await database('tag').where({ tag_id: 'archived' }).pluck('status')).to.deep.equal(['archived']);
  });
});
