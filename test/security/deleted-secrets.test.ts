import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { deleteSecretsOfUninstalled } from '#db/bff/integrations.ts';
import type { Schema } from '#db/connection.ts';
import type { Database } from '#db/database.ts';
import { createEncryption } from '#db/encryption.ts';
import { sealedColumns } from '#db/sealed-columns.ts';
import { useStack } from '../support/fixtures/stack.ts';
import { columnsWithSealedTexts } from '../support/servers/sealed-values.ts';
import { installBody, signedCall, type TestIntegration } from '../support/services/bff.ts';
import { storeEverySecret, storeSession } from '../support/services/every-secret.ts';
import { installTenant, signerOf, type TestTenant } from '../support/services/tenant.ts';
import { clickEvent } from '../support/outreach/webhook-events.ts';

const key = { id: '2026', key: randomBytes(32).toString('base64') };
const encryption = createEncryption([key]);

const every = sealedColumns.map(({ schema, table, column }) => `${schema}.${table}.${column}`).toSorted();
/** Orders go on without the integration, and so do their events; erasures are finished, and hold after a reinstall. */
const notTheIntegrations = [
  'orders.webhook.sealed_secret',
  'outreach.erased_contact.contact_encrypted',
  'outreach.erasure_key.secret_encrypted',
];
/** Kept for calls of the platform that are repeated. */
const keptForAWeek = ['bff.tenant_integration.replaced_secret_encrypted', 'bff.tenant_integration.secret_encrypted'];

describe('The secrets of an uninstalled tenant', function () {
  this.timeout(240_000);
  const stack = useStack({ env: { ENCRYPTION_KEYS: `${key.id}:${key.key}` } });
  let owner: Record<Schema, Database>;
  let leaving: TestTenant;
  let staying: TestTenant;
  let ended: TestIntegration;

  before(async () => {
    const connect = (schema: Schema) => stack.database.connect(schema, 'owner');
    owner = { bff: connect('bff'), outreach: connect('outreach'), orders: connect('orders') };
    const options = (tenantId: string) => ({ tenantId, serviceNumberId: `sn-${tenantId}`, contacts: 1 });
    leaving = await installTenant(stack, options('leaving'));
    staying = await installTenant(stack, options('staying'));
    for (const tenant of [leaving, staying]) {
      await storeEverySecret(stack, owner, encryption, tenant);
      await storeSession(owner.bff, encryption, tenant.tenantId);
    }
    ended = await signerOf(leaving);
  });

  /** Where rows that name the tenant or its integration have something sealed, in every column of every table. */
  const sealedOf = async ({ tenantId }: TestTenant, integration?: TestIntegration) => {
    const integrations = await owner.bff('tenant_integration').where({
      platform_tenant_id: tenantId,
      ...(integration && { tenant_integration_id: integration.tenantIntegrationId }),
    });
    const ids = integrations.map((row: { tenantIntegrationId: string }) => row.tenantIntegrationId);
    return columnsWithSealedTexts(owner.bff, integration ? ids : [tenantId, ...ids]);
  };
  const webhook = async (by: TestIntegration) =>
    (await signedCall({ url: stack.addresses.bff }, '/webhook', by, clickEvent())).status;
  const uninstalled = (days: number) =>
    owner
      .bff('tenant_integration')
      .where({ tenant_integration_id: ended.tenantIntegrationId, status: 'UNINSTALLED' })
      .update({ uninstalled_at: new Date(Date.now() - days * 86_400_000) });
  const sweep = () => deleteSecretsOfUninstalled({ connection: stack.database.connect('bff'), encryption });

  it('are in every column that can hold one, before', async () => {
    for (const tenant of [leaving, staying]) expect(await sealedOf(tenant)).to.deep.equal(every);
  });

  it('go with the uninstall: sessions, rotations and what signs calls; what checks repeated calls stays', async () => {
    await leaving.sandbox.post(`/admin/tenant-integrations/${ended.tenantIntegrationId}:uninstall`, {});
    expect(await sealedOf(leaving)).to.deep.equal([...keptForAWeek, ...notTheIntegrations]);
    expect(await owner.bff('session').where({ platform_tenant_id: 'leaving' })).to.deep.equal([]);
    expect(await webhook(ended)).to.equal(410);
    expect(await sweep()).to.equal(0);
  });

  it('are the new ones after a reinstall within the week; the old ones open nothing, and go in their time', async () => {
    const [appSecret] = stack.settings.PLATFORM_APP_SECRET;
    const again = await signedCall({ url: stack.addresses.bff }, '/install', ended, installBody(ended), { appSecret });
    expect(again.status).to.equal(410);
    await leaving.sandbox.post('/admin/tenants/leaving/tenant-integrations', {});
    const renewed = await signerOf(leaving);
    expect(renewed.tenantIntegrationId).not.to.equal(ended.tenantIntegrationId);
    expect([await webhook(renewed), await webhook(ended)]).to.deep.equal([200, 410]);
    expect(await webhook({ ...renewed, secret: ended.secret })).to.equal(401);

    await storeSession(owner.bff, encryption, 'leaving');
    await uninstalled(7.1);
    expect(await sweep()).to.equal(1);
    expect(await sealedOf(leaving, ended)).to.deep.equal([]);
    expect([await webhook(renewed), await webhook(ended)]).to.deep.equal([200, 401]);
    expect(await owner.bff('session').where({ platform_tenant_id: 'leaving' })).to.have.length(1);
    expect((await leaving.api.get<{ items: unknown[] }>('/service-numbers')).items).to.have.length(1);
  });

  it('are gone a week after it, in every column of every table; those of another tenant are not', async () => {
    const renewed = await signerOf(leaving);
    await leaving.sandbox.post(`/admin/tenant-integrations/${renewed.tenantIntegrationId}:uninstall`, {});
    ended = renewed;
    expect(await uninstalled(7.1)).to.equal(1);
    expect(await sweep()).to.equal(1);
    expect(await sealedOf(leaving)).to.deep.equal(notTheIntegrations);
    expect(await sealedOf(staying)).to.deep.equal(every);
    expect(await webhook(await signerOf(staying))).to.equal(200);
  });
});
