import { expect } from 'chai';
import { installed, newIntegration } from '#test/support/services/bff.ts';
import { expectCode, type LifecycleBff } from '#test/support/services/bff-lifecycle.ts';
import { installWorkflowId } from '#workflows/contracts/install-tenant.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { useLifecycleBff } from '#test/support/fixtures/services.ts';

describe('POST /uninstall', () => {
  const test = useLifecycleBff();
  let workflow: LifecycleBff['workflow'];
  let bff: LifecycleBff['bff'];
  let install: LifecycleBff['install'];
  let call: LifecycleBff['call'];
  let hasty: LifecycleBff['hasty'];
  let webhook: LifecycleBff['webhook'];
  let rowOf: LifecycleBff['rowOf'];
  let backendOf: LifecycleBff['backendOf'];
  before(async () => {
    ({ workflow, bff, install, call, hasty, webhook, rowOf, backendOf } = test);
  });
  beforeEach(() => test.reset());

  it('responds once the backend has stopped outbound; sessions end; further calls get 410, a retry 200', async () => {
    const integration = await installed(bff);
    const token = await bff.identity.token({ tenantId: integration.platformTenantId });
    const me = () => fetch(`${bff.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } });
    expect((await me()).status).to.equal(200);
    const response = await call('/uninstall', integration, { reason: 'moving on' });
    expect(response.status).to.equal(200);
    expect(response.body).to.deep.equal({ installStatus: 'UNINSTALLED' });
    expect(backendOf(integration)?.status).to.equal('UNINSTALLED');
    expect(bff.backend.of(/:uninstall$/)[0]?.json).to.deep.equal({ reason: 'moving on' });
    expect(await bff.rows('session').where({ platform_tenant_id: integration.platformTenantId })).to.deep.equal([]);
    expect((await me()).status).to.equal(403);
    expect((await call('/uninstall', integration)).body).to.deep.equal({ installStatus: 'UNINSTALLED' });
    expectCode(await webhook(integration), 410, 'gone');
    expectCode(await call('/update', integration, { serviceNumbers: [] }), 410, 'gone');
    expectCode(await call('/rotate-secret', integration, { newSecret: 'n'.repeat(40) }), 410, 'gone');
    expectCode(await install(integration), 410, 'gone');
    expect(bff.backend.of(/:uninstall$/)).to.have.length(1);
  });

  it('treats a null reason as absent', async () => {
    const integration = await installed(bff);
    expect((await call('/uninstall', integration, { reason: null })).status).to.equal(200);
    expect(bff.backend.of(/:uninstall$/)[0]?.json).to.deep.equal({});
  });

  it('continues after a 503 if the backend is down', async () => {
    const integration = await installed(bff);
    await bff.backend.stop();
    const response = await hasty.call('/uninstall', integration);
    await bff.backend.start();
    expectCode(response, 503, 'unavailable');
    await eventually('uninstalled', async () => (await rowOf(integration))?.['status'] === 'UNINSTALLED');
    expect((await call('/uninstall', integration)).status).to.equal(200);
    expect(backendOf(integration)?.status).to.equal('UNINSTALLED');
  });

  it('ends an installation in progress, which then does not complete', async () => {
    const integration = newIntegration();
    bff.backend.behave(({ method }) => (method === 'PUT' ? { status: 503, body: {} } : null));
    expectCode(await hasty.install(integration), 503, 'unavailable');
    expect((await call('/uninstall', integration)).status).to.equal(200);
    bff.backend.behave(() => null);
    expect(await workflow(installWorkflowId(integration.tenantIntegrationId)).result()).to.deep.equal({
      answer: { kind: 'refused', code: 'gone' },
      slots: 'not_reached',
    });
    expect(backendOf(integration)).to.equal(undefined);
    expectCode(await install(integration), 410, 'gone');
  });

  it('lets the tenant install again, under a new integration and the same externalTenantId', async () => {
    const integration = newIntegration();
    const first = await install(integration);
    await call('/uninstall', integration);
    const next = newIntegration({ platformTenantId: integration.platformTenantId });
    const again = await install(next);
    expect(again.status).to.equal(200);
    expect(again.body['externalTenantId']).to.equal(first.body['externalTenantId']);
    const mapping = await bff.rows('tenant_mapping').where({ platform_tenant_id: integration.platformTenantId });
    expect(mapping).to.have.length(1);
    expect(mapping[0]).to.include({ tenantIntegrationId: next.tenantIntegrationId });
    const token = await bff.identity.token({ tenantId: integration.platformTenantId });
    const me = await fetch(`${bff.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(me.status).to.equal(200);
  });
});
