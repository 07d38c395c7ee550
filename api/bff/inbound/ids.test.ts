import { expect } from 'chai';
import type { FieldError } from '#domain/api/problem.ts';
import { type ApiResponse, installBody, newIntegration, signedCall } from '#test/support/services/bff.ts';
import { installWorkflowId } from '#workflows/contracts/install-tenant.ts';
import { useLifecycleBff } from '#test/support/fixtures/services.ts';

describe('ids in lifecycle calls', () => {
  const test = useLifecycleBff();
  const wrong = [4711, 0, Number('7251234567890123457'), '', 'x'.repeat(257)];
  const placeOf = ({ status, body }: ApiResponse) => [status, (body['errors'] as FieldError[] | undefined)?.[0]?.path];
  const catalogue = (serviceNumberId: unknown) => ({ serviceNumbers: [{ serviceNumberId, name: 'Shop' }] });

  it('A8: an install and an update take ids of 256 characters, and staff find the workflow by the tenant', async () => {
    const integration = { ...newIntegration(), platformTenantId: '店'.repeat(256) };
    const long = 'é'.repeat(256);
    expect((await test.install(integration, catalogue(long))).status).to.equal(200);
    expect(test.backendOf(integration)?.body).to.deep.include(catalogue(long));
    const { typedSearchAttributes } = await test
      .workflow(installWorkflowId(integration.tenantIntegrationId))
      .describe();
    expect(JSON.stringify(typedSearchAttributes.getAll())).to.include(`"${'店'.repeat(255)}"`);
    const { tenantIntegrationId } = integration;
    const update = await signedCall(test.bff, '/update', integration, { tenantIntegrationId, ...catalogue(`${long}`) });
    expect(update.status).to.equal(200);
  });

  it('A8: an install and an update reject ids that are numbers, empty or longer, and change nothing', async () => {
    const active = newIntegration();
    await test.install(active);
    const before = await test.rowOf(active);
    for (const id of wrong) {
      const integration = newIntegration();
      for (const [path, more] of [
        ['/platformTenantId', { platformTenantId: id }],
        ['/serviceNumbers/0/serviceNumberId', catalogue(id)],
      ] as const) {
        const body = { ...installBody(integration), ...more };
        const refused = await signedCall(test.bff, '/install', integration, body);
        expect(placeOf(refused), String(id)).to.deep.equal([400, path]);
        expect(await test.rowOf(integration)).to.equal(undefined);
      }
      const { tenantIntegrationId } = active;
      const update = await signedCall(test.bff, '/update', active, { tenantIntegrationId, ...catalogue(id) });
      expect(placeOf(update)).to.deep.equal([400, '/serviceNumbers/0/serviceNumberId']);
    }
    expect(await test.rowOf(active)).to.deep.equal(before);
  });
});
