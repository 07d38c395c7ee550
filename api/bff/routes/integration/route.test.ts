import { expect } from 'chai';
import type { NotedAudit } from '#domain/api/internal.ts';
import { responseOf, installed, type TestIntegration } from '#test/support/services/bff.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { useBff } from '#test/support/fixtures/services.ts';

describe('/api/v1/integration', () => {
  const bff = useBff({ temporal: true, embedAllowedOrigins: ['https://desk.example'] });
  let integration: TestIntegration;
  before(async () => {
    integration = await installed(bff);
  });

  async function call(method: string, path: string, roles = ['tenant_admin']) {
    const token = await bff.identity.token({ tenantId: integration.platformTenantId, roles });
    const headers = { authorization: `Bearer ${token}` };
    return responseOf(await fetch(`${bff.url}/api/v1${path}`, { method, headers }));
  }

  it('shows the state of the installation, without secrets', async () => {
    const response = await call('GET', '/integration', ['viewer']);
    expect(response.status).to.equal(200);
    expect(response.body).to.deep.equal({
      status: 'ACTIVE',
      platformTenantId: integration.platformTenantId,
      tenantIntegrationId: integration.tenantIntegrationId,
      webhookUrl: `${bff.url}/webhook`,
      rotatedAt: null,
      graceUntil: null,
      slots: [],
      embedAllowedOrigins: ['https://desk.example'],
      copywriting: false,
      images: false,
      health: { backend: 'ok', temporalUiUrl: 'http://127.0.0.1:8233', temporalNamespace: 'outreach', sandbox: true },
    });
  });

  it('shows until when the replaced secret is accepted, and nothing once it is not', async () => {
    const later = new Date(Date.now() + 3_600_000);
    const grace = async (until: Date | null) => {
      await bff.database
        .connection('tenant_integration')
        .where({ tenant_integration_id: integration.tenantIntegrationId })
        .update({ replaced_accepted_until: until });
      return (await call('GET', '/integration', ['viewer'])).body['graceUntil'];
    };
    expect(await grace(later)).to.equal(later.toISOString());
    expect(await grace(new Date(Date.now() - 1000))).to.equal(null);
    expect(await grace(null)).to.equal(null);
  });

  it('reports that the backend cannot be reached', async () => {
    await bff.backend.stop();
    const response = await call('GET', '/integration');
    await bff.backend.start();
    expect(response.body['health']).to.include({ backend: 'unreachable' });
  });

  it('registers the slots again whenever an administrator asks', async () => {
    for (const times of [1, 2]) {
      const response = await call('POST', '/integration/slots:register');
      expect(response.status).to.equal(202);
      expect(response.body['slots']).to.have.length(4);
      await eventually('registered', () => bff.platform.calls.length === times);
    }
    await eventually('all are registered', async () => {
      const { slots } = (await call('GET', '/integration')).body as {
        slots: { status: string; registeredAt: unknown }[];
      };
      return slots.length === 4 && slots.every((slot) => slot.status === 'registered' && slot.registeredAt);
    });
    const noted = () => bff.backend.of(/audit-entries$/).flatMap(({ json }) => json['entries'] as NotedAudit[]);
    const ofSlots = () => noted().filter(({ action }) => action === 'integration.register_slots');
    await eventually('each is in the audit log', async () => ofSlots().length === 2);
    const { tenantIntegrationId: objectId, platformTenantId } = integration;
    for (const entry of ofSlots())
      expect(entry).to.deep.include({
        platformTenantId,
        actor: 'service:bff',
        objectType: 'integration',
        objectId,
        after: { slots: ['main', 'sn-campaigns', 'contact-touch', 'settings'] },
      });
  });

  it('allows that only to administrators', async () => {
    expect((await call('POST', '/integration/slots:register', ['marketing_operator'])).status).to.equal(403);
  });
});
