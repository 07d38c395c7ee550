import { expect } from 'chai';
import { createNonce } from '#domain/signature.ts';
import { installBody, newIntegration, signedCall } from '#test/support/services/bff.ts';
import { expectCode, type LifecycleBff } from '#test/support/services/bff-lifecycle.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { deadlineIn } from '../deadline.ts';
import { installWorkflowId } from '#workflows/contracts/install-tenant.ts';
import { useLifecycleBff } from '#test/support/fixtures/services.ts';

describe('POST /install', () => {
  const test = useLifecycleBff();
  let bff: LifecycleBff['bff'];
  let install: LifecycleBff['install'];
  let hasty: LifecycleBff['hasty'];
  let webhook: LifecycleBff['webhook'];
  let rowOf: LifecycleBff['rowOf'];
  let backendOf: LifecycleBff['backendOf'];
  let configurations: LifecycleBff['configurations'];
  let slotsOf: LifecycleBff['slotsOf'];
  let slotsRegistered: LifecycleBff['slotsRegistered'];
  let workflow: LifecycleBff['workflow'];
  before(async () => {
    ({ bff, install, hasty, webhook, rowOf, backendOf, configurations, slotsOf, slotsRegistered, workflow } = test);
  });
  beforeEach(() => test.reset());

  it('responds once BFF and backend have the integration, and registers the slots afterwards', async () => {
    const integration = newIntegration();
    const response = await install(integration);
    expect(response.status).to.equal(200);
    expect(response.body).to.deep.equal({
      webhookUrl: `${bff.url}/webhook`,
      externalTenantId: `external-${integration.platformTenantId}`,
      installStatus: 'ACTIVE',
    });
    expect(backendOf(integration)).to.deep.include({ status: 'ACTIVE', secret: integration.secret });
    expect(backendOf(integration)?.body).to.deep.include({
      webhookUrl: `${bff.url}/webhook`,
      tenant: { name: 'Acme', type: 'enterprise' },
      serviceNumbers: [{ serviceNumberId: 'sn-1', name: 'Shop' }],
    });
    expect(await rowOf(integration)).to.include({ status: 'ACTIVE', handshake: null });
    expect(
      await bff.rows('tenant_mapping').where({ platform_tenant_id: integration.platformTenantId }).first(),
    ).to.include({
      externalTenantId: `external-${integration.platformTenantId}`,
      tenantIntegrationId: integration.tenantIntegrationId,
    });
    await slotsRegistered(integration);
    const [batch, ...more] = configurations(integration);
    expect(more).to.deep.equal([]);
    const slots = batch?.body['slots'] as { slot: string; endpointUrl: string; params: object }[];
    expect(slots.map(({ slot, endpointUrl }) => [slot, endpointUrl])).to.deep.equal(
      ['main', 'sn-campaigns', 'contact-touch', 'settings'].map((slot) => [slot, `${bff.url}/embed/${slot}`]),
    );
    expect(slots.every(({ params }) => typeof params === 'object')).to.equal(true);
  });

  it('keeps the secret encrypted, and out of Temporal and the log', async () => {
    const integration = newIntegration();
    await install(integration);
    await slotsRegistered(integration);
    expect(JSON.stringify(await rowOf(integration))).to.not.include(integration.secret);
    const history = await workflow(installWorkflowId(integration.tenantIntegrationId)).fetchHistory();
    const payloads = JSON.stringify(history, (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    );
    expect(payloads).to.include(integration.tenantIntegrationId).and.not.include(integration.secret);
    expect(bff.log()).to.not.include(integration.secret);
  });

  it('shows staff what is running: id, type, summary, tenant and status', async () => {
    const integration = newIntegration();
    await install(integration);
    const handle = workflow(installWorkflowId(integration.tenantIntegrationId));
    await handle.result();
    const described = await handle.describe();
    expect(described.type).to.equal('installTenant');
    expect(described.taskQueue).to.equal('bff');
    expect(JSON.stringify(described.typedSearchAttributes.getAll()))
      .to.include(integration.platformTenantId)
      .and.include('ACTIVE');
    expect(await described.staticSummary()).to.include(integration.tenantIntegrationId);
    expect(installWorkflowId('a_B-1')).to.equal('install:a_B-1');
  });

  it('repeated while ACTIVE gives the same response and does nothing twice', async () => {
    const integration = newIntegration();
    const first = await install(integration);
    await slotsRegistered(integration);
    const again = await install(integration);
    expect(again.status).to.equal(200);
    expect(again.body).to.deep.equal(first.body);
    expect(bff.backend.of(/tenant-integrations/)).to.have.length(1);
    expect(configurations(integration)).to.have.length(1);
  });

  it('called 10 times concurrently installs once', async () => {
    const integration = newIntegration();
    const responses = await Promise.all(Array.from({ length: 10 }, () => install(integration)));
    expect(responses.map((response) => response.status)).to.deep.equal(Array.from({ length: 10 }, () => 200));
    expect(new Set(responses.map((response) => JSON.stringify(response.body))).size).to.equal(1);
    await slotsRegistered(integration);
    expect(configurations(integration)).to.have.length(1);
  });

  it('registers the slots once, even if one of several calls reaches the workflow only after it has ended', async () => {
    const integration = newIntegration();
    await install(integration);
    await slotsRegistered(integration);
    await workflow(installWorkflowId(integration.tenantIntegrationId)).result();
    const { runId } = await workflow(installWorkflowId(integration.tenantIntegrationId)).describe();
    expect(await bff.launch.install(integration, 1, deadlineIn(90_000))).to.deep.equal({ kind: 'active' });
    const again = workflow(installWorkflowId(integration.tenantIntegrationId));
    expect((await again.describe()).runId).to.not.equal(runId);
    expect(await again.result()).to.deep.equal({ answer: { kind: 'active' }, slots: 'registered' });
    expect(configurations(integration)).to.have.length(1);
  });

  it('responds 2xx to one of 20 concurrent calls with the same nonce, and keeps that nonce forever', async () => {
    const integration = newIntegration();
    const nonce = createNonce();
    const responses = await Promise.all(Array.from({ length: 20 }, () => install(integration, {}, { nonce })));
    expect(responses.filter((response) => response.status === 200)).to.have.length(1);
    for (const response of responses) if (response.status !== 200) expectCode(response, 409, 'nonce_replayed');
    expect(await bff.rows('nonce').where({ nonce }).select('kept_until')).to.deep.equal([{ keptUntil: null }]);
  });

  it('rejects another secret while ACTIVE, and another integration of the tenant', async () => {
    const integration = newIntegration();
    await install(integration);
    const other = { ...integration, secret: 'x'.repeat(40) };
    expectCode(await install(other), 409, 'conflict');
    expectCode(await install(newIntegration({ platformTenantId: integration.platformTenantId })), 409, 'conflict');
    expectCode(await install({ ...integration, platformTenantId: 'somebody-else' }), 409, 'conflict');
    expect(backendOf(integration)?.secret).to.equal(integration.secret);
  });

  it('lets another secret replace the first until a call got 200', async () => {
    const integration = newIntegration();
    const [second, third] = ['y', 'z'].map((letter) => ({ ...integration, secret: letter.repeat(40) }));
    if (!second || !third) throw new Error('two of them');
    await bff.backend.stop();
    const first = await hasty.install(integration);
    expectCode(first, 503, 'unavailable');
    expect(first.headers.get('retry-after')).to.match(/^\d+$/);
    expect(await rowOf(integration)).to.include({ status: 'PENDING' });
    await hasty.install(second);
    await bff.backend.start();
    await eventually('installed', async () => (await rowOf(integration))?.['status'] === 'ACTIVE');
    expect(backendOf(integration)?.secret).to.equal(second.secret);
    expect((await install(third)).status).to.equal(200);
    expect(backendOf(integration)?.secret).to.equal(third.secret);
    expect((await webhook(third)).status).to.equal(200);
    expect((await webhook(integration)).status).to.equal(401);
    expectCode(await install(second), 409, 'conflict');
    await slotsRegistered(integration);
  });

  it('starts over with another secret, even while the slots of the first are still rejected', async () => {
    const integration = newIntegration();
    bff.platform.behave(({ path }) => (path.endsWith('/embed/configurations') ? { status: 500, body: {} } : null));
    bff.backend.behave(({ method }) => (method === 'PUT' ? 'lost' : null));
    expectCode(await hasty.install(integration), 503, 'unavailable');
    bff.backend.behave(() => null);
    await eventually('installed', async () => (await rowOf(integration))?.['status'] === 'ACTIVE');
    const other = { ...integration, secret: 'y'.repeat(40) };
    expect((await install(other)).status).to.equal(200);
    expect(backendOf(integration)?.secret).to.equal(other.secret);
    bff.platform.behave(() => null);
    await slotsRegistered(integration);
    expect(await workflow(installWorkflowId(integration.tenantIntegrationId)).result()).to.deep.equal({
      answer: { kind: 'active' },
      slots: 'registered',
    });
  });

  it('accepts one of two concurrent integrations of a tenant', async () => {
    const first = newIntegration();
    const second = newIntegration({ platformTenantId: first.platformTenantId });
    const responses = await Promise.all([install(first), install(second)]);
    expect(responses.map((response) => response.status).sort()).to.deep.equal([200, 409]);
    const rows = await bff.rows('tenant_integration').where({ platform_tenant_id: first.platformTenantId });
    expect(rows.map((row: { status: string }) => row.status)).to.deep.equal(['ACTIVE']);
  });

  it('completes by itself once the backend is back, after a 503 that did not use up its nonce', async () => {
    const integration = newIntegration();
    const nonce = createNonce();
    await bff.backend.stop();
    expectCode(await hasty.install(integration, {}, { nonce }), 503, 'unavailable');
    await bff.backend.start();
    await eventually('installed', async () => (await rowOf(integration))?.['status'] === 'ACTIVE');
    expect((await install(integration, {}, { nonce })).status).to.equal(200);
  });

  it('responds 503 at its deadline if no worker runs, and completes later', async () => {
    const integration = newIntegration();
    await bff.stopWorker();
    try {
      // Without a deadline it would wait forever.
      expectCode(await hasty.install(integration), 503, 'unavailable');
    } finally {
      await bff.startWorker();
    }
    expect((await install(integration)).status).to.equal(200);
  });

  it('keeps registering the slots while the platform rejects them, and shows the reason', async () => {
    const integration = newIntegration();
    let refusals = 2;
    bff.platform.behave((request) =>
      configurations(integration).includes(request) && refusals-- > 0
        ? { status: 500, body: { code: 'broken', message: 'not today' } }
        : null,
    );
    expect((await install(integration)).status).to.equal(200);
    await eventually('the rejection is recorded', async () => {
      const [slot] = (await slotsOf(integration)) as { status: string; error: string }[];
      return slot?.status === 'failed' && slot.error.includes('500');
    });
    await slotsRegistered(integration);
    expect(configurations(integration)).to.have.length(3);
  });

  const malformed: [string, object, string][] = [
    ['another application', { appId: 'other' }, '/appId'],
    ['a short secret', { tenantIntegrationSecret: 'short' }, '/tenantIntegrationSecret'],
    ['no secret', { tenantIntegrationSecret: undefined }, '/tenantIntegrationSecret'],
    ['no tenant', { tenant: undefined }, '/tenant'],
    ['a type of 65 characters', { tenant: { name: 'A', type: 'x'.repeat(65) } }, '/tenant/type'],
    ['service numbers that are not a list', { serviceNumbers: {} }, '/serviceNumbers'],
    ['another integration than in the header', { tenantIntegrationId: 'other' }, '/tenantIntegrationId'],
  ];
  for (const [what, over, path] of malformed) {
    it(`rejects ${what} with 400 and stores nothing`, async () => {
      const integration = newIntegration();
      const body = { ...installBody(integration), ...over };
      const secret = typeof body.tenantIntegrationSecret === 'string' ? body.tenantIntegrationSecret : undefined;
      const response = await signedCall(bff, '/install', integration, body, secret ? { secret } : {});
      expectCode(response, 400, 'invalid_request');
      expect((response.body['errors'] as { path: string }[]).map((error) => error.path)).to.deep.equal([path]);
      expect(await rowOf(integration)).to.equal(undefined);
    });
  }

  it('rejects bodies that are not JSON with 400 and large ones with 413', async () => {
    const integration = newIntegration();
    expectCode(await install(integration, {}, { raw: '{' }), 400, 'invalid_request');
    expectCode(await install(integration, {}, { raw: '' }), 400, 'invalid_request');
    expectCode(await install(integration, {}, { raw: `"${'x'.repeat(1_048_576)}"` }), 413, 'too_large');
  });

  it('responds in the same way to a wrong or missing application signature and a wrong tenant signature', async () => {
    const integration = newIntegration();
    const responses = [
      await install(integration, {}, { appSecret: 'another-application-secret-00001' }),
      await install(integration, {}, { headers: { 'x-platform-app-signature': '' } }),
      await install(integration, {}, { secret: 'z'.repeat(40) }),
      await install(integration, {}, { headers: { authorization: 'Bearer x' } }),
    ];
    for (const response of responses) expectCode(response, 401, 'unauthorized');
    expect(new Set(responses.map((response) => response.body['detail'])).size).to.equal(1);
    expect(await rowOf(integration)).to.equal(undefined);
  });

  it('uses the last of duplicate service numbers', async () => {
    const integration = newIntegration();
    const serviceNumbers = ['A', 'B'].map((name) => ({ serviceNumberId: 'sn-1', name }));
    expect((await install(integration, { serviceNumbers })).status).to.equal(200);
    expect(backendOf(integration)?.body['serviceNumbers']).to.deep.equal([{ serviceNumberId: 'sn-1', name: 'B' }]);
  });
});
