import { expect } from 'chai';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { seedTenant } from '#test/support/outreach/rows.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { deleteUninstalled } from './uninstalled.ts';

describe('what is kept of a tenant that was installed again', () => {
  const database = useDatabase('outreach');
  const before = new Date('2026-05-01T00:00:00Z');
  const longAgo = new Date('2026-01-01T00:00:00Z');

  /** A tenant with a contact whose first integration was uninstalled long ago, and the id of its second. */
  async function installedTwice() {
    const { tenantId, tenantIntegrationId } = await seedTenant(database, testEncryption);
    const integration = (id: string) => database('tenant_integration').where({ tenant_integration_id: id });
    await integration(tenantIntegrationId).update({
      status: 'UNINSTALLED',
      uninstalled_at: longAgo,
      secret_encrypted: null,
    });
    const second = `${tenantIntegrationId}-2`;
    await database('tenant_integration').insert({
      tenant_integration_id: second,
      tenant_id: tenantId,
      secret_encrypted: testEncryption.encrypt('secret', second),
      webhook_url: 'http://bff.example/webhook',
      status: 'ACTIVE',
    });
    await database('contact_profile').insert({
      tenant_id: tenantId,
      service_number_id: 'sn-1',
      contact_id: 'c-1',
      follow_state: 'following',
      last_event_at: longAgo,
    });
    const uninstall = (at: Date) =>
      integration(second).update({ status: 'UNINSTALLED', uninstalled_at: at, secret_encrypted: null });
    return { tenantId, uninstall };
  }

  const contactsOf = (tenantId: string) =>
    database('contact_profile').where({ tenant_id: tenantId }).pluck('contact_id');

  async function deleteAll(): Promise<void> {
    while ((await deleteUninstalled(database, before)) > 0);
  }

  it('stays while its second integration is active, however long ago the first was uninstalled', async () => {
    const { tenantId } = await installedTwice();
    await deleteAll();
    expect(await contactsOf(tenantId)).to.deep.equal(['c-1']);
  });

  it('is kept for as long as after its last uninstallation', async () => {
    const { tenantId, uninstall } = await installedTwice();
    await uninstall(before);
    await deleteAll();
    expect(await contactsOf(tenantId)).to.deep.equal(['c-1']);
    await uninstall(new Date(before.getTime() - 1));
    await deleteAll();
    expect(await contactsOf(tenantId)).to.deep.equal([]);
  });
});
