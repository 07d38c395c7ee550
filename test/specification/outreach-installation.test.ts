import { expect } from 'chai';
import type { Knex } from 'knex';
import { createEncryption, type Encryption } from '#db/encryption.ts';
import type { Integration } from '#domain/api/session.ts';
import { type JsonClient, jsonClient } from '#scripts/demo/client.ts';
import { signedCall } from '../support/services/bff.ts';
import { call } from '../support/http/call.ts';
import { eventually } from '../support/time/eventually.ts';
import { apiAs } from '../support/services/tenant.ts';
import { useWiredStack } from '../support/fixtures/stack.ts';

interface Installed {
  tenantIntegrationId: string;
  tenantIntegrationSecret: string;
  status: string;
  webhookUrl?: string;
  slots: { slot: string }[];
  install: { status: number | null; answer: Record<string, unknown> } | null;
}

interface Lifecycle {
  status: number;
  answer: Record<string, unknown>;
  integration: Installed;
}

type Row = Record<string, unknown>;

const tenantId = 'installing';
const serviceNumbers = [
  { serviceNumberId: 'sn-one', name: 'One' },
  { serviceNumberId: 'sn-two', name: 'Two' },
];
const supportedEvents = ['contact', 'notice', 'session', 'broadcast', 'label', 'entry', 'embed', 'tenant'];

describe('S0: installation', () => {
  const stack = useWiredStack();
  let sandbox: JsonClient;
  let outreach: Knex;
  let bff: Knex;
  let encryption: Encryption;
  let pending: Installed;
  let statusBefore: string;
  let installed: Lifecycle;
  let api: JsonClient;

  const integrationsOf = async (tenant: string) =>
    (await sandbox.get<{ items: Installed[] }>(`/admin/tenants/${tenant}/tenant-integrations`)).items;
  const lifecycle = (verb: string, body: object = {}) =>
    sandbox.post<Lifecycle>(`/admin/tenant-integrations/${pending.tenantIntegrationId}:${verb}`, body);
  const rowIn = async (db: Knex, table: string): Promise<Row> =>
    ((await db(table).where({ tenant_integration_id: pending.tenantIntegrationId }).first()) ?? {}) as Row;
  const registrations = () => stack.toPlatform.of('POST', /embed/);
  const slotsRegistered = () =>
    eventually('the slots are registered', async () => {
      const { slots } = await api.get<Integration>('/integration');
      return slots.length === 4 && slots.every(({ status }) => status === 'registered');
    });

  before(async () => {
    sandbox = jsonClient(stack.addresses.sandbox);
    outreach = stack.database.connect('outreach', 'owner');
    bff = stack.database.connect('bff', 'owner');
    encryption = createEncryption(stack.settings.ENCRYPTION_KEYS);
    await sandbox.post('/admin/integrations/apps', {
      appId: stack.settings.PLATFORM_APP_ID,
      installBaseUrl: stack.toBff.address,
      supportedEvents,
    });
    await sandbox.post('/sandbox/tenants', { platformTenantId: tenantId, name: 'First', type: 'shop', serviceNumbers });
    // The slots cannot be registered before the response to the installation, which must not wait for them.
    await sandbox.put('/sandbox/faults', { faults: [{ route: 'embed', mode: 'status', status: 503 }] });
    pending = await sandbox.post<Installed>(`/admin/tenants/${tenantId}/tenant-integrations`, { install: false });
    statusBefore = (await integrationsOf(tenantId))[0]?.status ?? '';
    expect(stack.toBff.calls).to.have.length(0);
    installed = await lifecycle('install');
    await eventually('the slots are refused', () => registrations().some(({ status }) => status === 503));
    await sandbox.put('/sandbox/faults', { faults: [] });
    api = await apiAs(stack, { sub: 'ada', tenantId, roles: ['viewer', 'tenant_admin'] });
    await slotsRegistered();
  });
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${stack.logs()}\n`);
  });

  it('S0-PA1: an application is registered once, with its id, installBaseUrl and events; others cannot be installed', async () => {
    const { items } = await sandbox.get<{ items: Row[] }>('/admin/integrations/apps');
    const installBaseUrl = stack.toBff.address;
    expect(items).to.deep.equal([{ appId: stack.settings.PLATFORM_APP_ID, installBaseUrl, supportedEvents }]);
    const unknown = await call('POST', `${stack.addresses.sandbox}/admin/tenants/${tenantId}/tenant-integrations`, {
      body: { appId: 'never-registered' },
    });
    expect(unknown.status).to.equal(404);
  });

  it('S0-PA2: creates a PENDING tenant integration with id and secret, and then sends the signed install call', async () => {
    expect(pending).to.include({ status: 'PENDING' });
    expect(pending.tenantIntegrationId).to.match(/^[A-Za-z0-9_-]{1,64}$/);
    expect(pending.tenantIntegrationSecret.length).to.be.at.least(32);
    const [install] = stack.toBff.of('POST', /^\/install$/);
    expect(JSON.parse(install?.body ?? '')).to.deep.include({
      tenantIntegrationId: pending.tenantIntegrationId,
      tenantIntegrationSecret: pending.tenantIntegrationSecret,
    });
    expect(install?.headers.authorization).to.match(new RegExp(`^PLATFORM ${pending.tenantIntegrationId}:.{44}$`));
  });

  it('S0-R1: the application has one id, and the platform calls it at installBaseUrl', async () => {
    const [install] = stack.toBff.of('POST', /install/);
    expect(install?.path).to.equal('/install');
    expect(JSON.parse(install?.body ?? '')).to.include({
      appId: stack.settings.PLATFORM_APP_ID,
      platformTenantId: tenantId,
    });
    // Another application at the same address: its signatures are not valid for ours.
    await sandbox.post('/admin/integrations/apps', { appId: 'other', installBaseUrl: stack.toBff.address });
    await sandbox.post('/sandbox/tenants', { platformTenantId: 'foreign', name: 'Foreign' });
    const foreign = await sandbox.post<Installed>('/admin/tenants/foreign/tenant-integrations', { appId: 'other' });
    expect([foreign.status, foreign.install?.status]).to.deep.equal(['PENDING', 400]);
    expect(await outreach('tenant').where({ tenant_id: 'foreign' })).to.have.length(0);
  });

  it('S0-IN1: a signed /install returns 200 with webhookUrl, externalTenantId and installStatus ACTIVE', async () => {
    const [tenant] = (await outreach('tenant').where({ tenant_id: tenantId })) as Row[];
    expect(installed.status).to.equal(200);
    expect(installed.answer).to.deep.equal({
      webhookUrl: `${stack.toBff.address}/webhook`,
      externalTenantId: tenant?.['externalTenantId'],
      installStatus: 'ACTIVE',
    });
    const [install] = stack.toBff.of('POST', /^\/install$/);
    const unsigned = await call('POST', `${stack.addresses.bff}/install`, { body: install?.body ?? '' });
    expect([unsigned.status, unsigned.body['code']]).to.deep.equal([401, 'unauthorized']);
  });

  it('S0-ST2: PENDING becomes ACTIVE by the response to install, with a tenant mapping; the slots follow automatically', async () => {
    expect([statusBefore, installed.integration.status]).to.deep.equal(['PENDING', 'ACTIVE']);
    const mapping = (await bff('tenant_mapping')) as Row[];
    expect(mapping).to.deep.equal([
      {
        platformTenantId: tenantId,
        externalTenantId: installed.answer['externalTenantId'],
        tenantIntegrationId: pending.tenantIntegrationId,
      },
    ]);
    expect(installed.integration.slots).to.deep.equal([]);
    const statuses = registrations().map(({ status }) => status);
    expect(new Set(statuses.slice(0, -1))).to.deep.equal(new Set([503]));
    expect(statuses.at(-1)).to.equal(200);
    // If rejected, it stays PENDING: the tenant already has an integration.
    const second = await sandbox.post<Installed>(`/admin/tenants/${tenantId}/tenant-integrations`, {});
    expect([second.status, second.install?.status]).to.deep.equal(['PENDING', 409]);
    expect(await bff('tenant_mapping')).to.deep.equal(mapping);
  });

  it('S0-EM1: the slots of a tenant are registered in one signed call, and can be registered again', async () => {
    const before = registrations().length;
    const call = registrations().at(-1);
    expect(call?.path).to.equal('/openapi/v1/embed/configurations');
    expect(call?.headers.authorization).to.contain(`PLATFORM ${pending.tenantIntegrationId}:`);
    const { slots } = JSON.parse(call?.body ?? '') as { slots: { slot: string; endpointUrl: string; params: Row }[] };
    expect(slots.map(({ slot, endpointUrl }) => [slot, endpointUrl])).to.deep.equal(
      ['main', 'sn-campaigns', 'contact-touch', 'settings'].map((slot) => [
        slot,
        `${stack.toBff.address}/embed/${slot}`,
      ]),
    );
    for (const { params } of slots) expect(params['context']).to.include('tenantId');
    const [known] = await integrationsOf(tenantId);
    expect(known?.slots).to.deep.equal(slots);
    await api.post('/integration/slots:register');
    await eventually('it is called again', () => registrations().length === before + 1);
    await slotsRegistered();
  });

  it('S0-R2: BFF and backend store the same id and secret, at install and after rotate-secret, with the webhookUrl', async () => {
    const secretIn = async (db: Knex) =>
      encryption.decrypt(
        String((await rowIn(db, 'tenant_integration'))['secretEncrypted']),
        pending.tenantIntegrationId,
      );
    for (const db of [bff, outreach]) {
      expect(await secretIn(db)).to.equal(pending.tenantIntegrationSecret);
      expect((await rowIn(db, 'tenant_integration'))['webhookUrl']).to.equal(`${stack.toBff.address}/webhook`);
    }
    const newSecret = 'another-secret-of-the-first-tenant-0001';
    await lifecycle('rotate-secret', { newSecret });
    expect([await secretIn(bff), await secretIn(outreach)]).to.deep.equal([newSecret, newSecret]);
  });

  it('S0-RC1: the backend’s tenant_integration has tenant, id, secret, webhookUrl, status and rotatedAt', async () => {
    const row = await rowIn(outreach, 'tenant_integration');
    expect(row).to.include({
      tenantId: tenantId,
      tenantIntegrationId: pending.tenantIntegrationId,
      webhookUrl: `${stack.toBff.address}/webhook`,
      status: 'ACTIVE',
    });
    expect(row['secretEncrypted']).to.be.a('string').that.does.not.contain('another-secret');
    const { rotatedAt } = await api.get<Integration>('/integration');
    expect((row['rotatedAt'] as Date).toISOString()).to.equal(rotatedAt);
  });

  it('S0-RC3: tenant has platformTenantId, type and status', async () => {
    const [row] = (await outreach('tenant').where({ tenant_id: tenantId })) as Row[];
    expect(row).to.include({ tenantId: tenantId, name: 'First', type: 'shop', status: 'active' });
  });

  it('S0-RC6: user has platformUserId and the strongest role, written at sign-in', async () => {
    const before = (await outreach('app_user').where({ tenant_id: tenantId })) as Row[];
    expect(before).to.have.length(1);
    expect(before[0]).to.include({ platformUserId: 'ada', role: 'tenant_admin' });
    const viewer = await apiAs(stack, { sub: 'vic', tenantId, roles: ['viewer'] });
    await viewer.get('/campaigns');
    expect(await outreach('app_user').where({ platform_user_id: 'vic' }).first()).to.include({ role: 'viewer' });
  });

  it('S0-RC4: service_number_catalog has serviceNumberId, name and status; S0-IN2: /update replaces it', async () => {
    const catalogue = () =>
      outreach('service_number_catalog').where({ tenant_id: tenantId }).orderBy('service_number_id');
    const row = (serviceNumberId: string, name: string, status = 'active') => ({
      tenantId,
      serviceNumberId,
      name,
      status,
    });
    expect(await catalogue()).to.deep.equal([row('sn-one', 'One'), row('sn-two', 'Two')]);
    const changed = [{ serviceNumberId: 'sn-two', name: 'Second' }];
    await sandbox.post('/sandbox/tenants', {
      platformTenantId: tenantId,
      name: 'First',
      type: 'shop',
      serviceNumbers: changed,
    });
    const updated = await lifecycle('update');
    expect([updated.status, updated.answer]).to.deep.equal([200, { installStatus: 'ACTIVE' }]);
    expect(await catalogue()).to.deep.equal([row('sn-one', 'One', 'inactive'), row('sn-two', 'Second')]);
  });

  it('S0-IN2: /rotate-secret and /uninstall are signed POSTs, each with its own effect', async () => {
    const rotated = await lifecycle('rotate-secret', { newSecret: 'yet-another-secret-of-that-tenant-0002' });
    expect(rotated.status).to.equal(200);
    expect(rotated.answer['rotatedAt']).to.be.a('string');
    const ended = await lifecycle('uninstall', { reason: 'a test' });
    expect([ended.status, ended.answer]).to.deep.equal([200, { installStatus: 'UNINSTALLED' }]);
    for (const db of [bff, outreach])
      expect(await rowIn(db, 'tenant_integration')).to.include({ status: 'UNINSTALLED' });
    const methods = ['update', 'rotate-secret', 'uninstall'].map((path) =>
      stack.toBff.of('POST', new RegExp(`^/${path}$`)),
    );
    expect(methods.map(({ length }) => length)).to.deep.equal([1, 2, 1]);
    const now = { url: stack.addresses.bff, appSecret: stack.settings.PLATFORM_APP_SECRET[0] };
    const { tenantIntegrationId, tenantIntegrationSecret: secret } = ended.integration;
    const signer = { tenantIntegrationId, platformTenantId: tenantId, secret };
    const late = await signedCall(now, '/update', signer, { tenantIntegrationId, tenant: { name: 'x' } }, now);
    expect([late.status, late.body['code']]).to.deep.equal([410, 'gone']);
  });
});
