import { expect } from 'chai';
import { createNonce } from '#domain/signature.ts';
import { installed, newIntegration } from '#test/support/services/bff.ts';
import { expectCode, type LifecycleBff } from '#test/support/services/bff-lifecycle.ts';
import { useLifecycleBff } from '#test/support/fixtures/services.ts';

describe('POST /update', () => {
  const test = useLifecycleBff();
  let bff: LifecycleBff['bff'];
  let call: LifecycleBff['call'];
  let backendOf: LifecycleBff['backendOf'];
  before(async () => {
    ({ bff, call, backendOf } = test);
  });
  beforeEach(() => test.reset());

  it('sends tenant or service numbers to the backend', async () => {
    const integration = await installed(bff);
    const serviceNumbers = [{ serviceNumberId: 'sn-2', name: 'Second' }];
    const response = await call('/update', integration, { serviceNumbers });
    expect(response.status).to.equal(200);
    expect(response.body).to.deep.equal({ installStatus: 'ACTIVE' });
    const [patch] = bff.backend.of(/tenant-integrations/);
    expect(patch?.method).to.equal('PATCH');
    expect(patch?.json).to.deep.equal({ serviceNumbers });
  });

  it('treats null as absent', async () => {
    const integration = await installed(bff);
    const tenant = { name: 'New name' };
    expect((await call('/update', integration, { tenant, serviceNumbers: null })).status).to.equal(200);
    expect(bff.backend.of(/tenant-integrations/)[0]?.json).to.deep.equal({ tenant });
    expectCode(await call('/update', integration, { tenant: null, serviceNumbers: null }), 400, 'invalid_request');
  });

  it('takes no coding of a body, which it says to who has signed the call', async () => {
    const integration = await installed(bff);
    const headers = { 'content-encoding': 'gzip' };
    const body = { tenant: { name: 'New name' } };
    expectCode(await call('/update', integration, body, { headers, secret: 'another' }), 401, 'unauthorized');
    const refused = await call('/update', integration, body, { headers });
    expectCode(refused, 415, 'unsupported_media_type');
    expect(refused.headers.get('accept-encoding')).to.equal('identity');
    expect(bff.backend.of(/tenant-integrations/)).to.deep.equal([]);
  });

  it('rejects a body with neither', async () => {
    const integration = await installed(bff);
    expectCode(await call('/update', integration), 400, 'invalid_request');
    expect(bff.backend.calls).to.deep.equal([]);
  });

  it('responds 503 while the backend is down, and may be retried unchanged', async () => {
    const integration = await installed(bff);
    const nonce = createNonce();
    const body = { tenant: { name: 'New name', type: 'enterprise' } };
    await bff.backend.stop();
    const response = await call('/update', integration, body, { nonce });
    await bff.backend.start();
    expectCode(response, 503, 'unavailable');
    expect((await call('/update', integration, body, { nonce })).status).to.equal(200);
    expect(backendOf(integration)?.body['tenant']).to.deep.equal(body.tenant);
    expectCode(await call('/update', integration, body, { nonce }), 409, 'nonce_replayed');
  });

  it('responds 409 before the installation is complete', async () => {
    const integration = await installed(bff);
    await bff
      .rows('tenant_integration')
      .where({ tenant_integration_id: integration.tenantIntegrationId })
      .update({ status: 'PENDING' });
    expectCode(await call('/update', integration, { serviceNumbers: [] }), 409, 'invalid_state');
  });

  it('is rejected without the application’s signature or for an unknown integration', async () => {
    const integration = await installed(bff);
    const options = { appSecret: 'another-application-secret-00001' };
    expectCode(await call('/update', integration, { serviceNumbers: [] }, options), 401, 'unauthorized');
    expectCode(await call('/update', newIntegration(), { serviceNumbers: [] }), 401, 'unauthorized');
    const other = await installed(bff);
    const named = { tenantIntegrationId: other.tenantIntegrationId, serviceNumbers: [] };
    expectCode(await call('/update', integration, named), 400, 'invalid_request');
  });
});
