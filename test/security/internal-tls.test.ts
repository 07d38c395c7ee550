import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { createBackendClient } from '#clients/backend/client.ts';
import { freePort } from '#scripts/start/ports.ts';
import { fixture } from '../support/fixtures/fixture.ts';
import { useStack } from '../support/fixtures/stack.ts';
import { authorityFile, startTlsProxy } from '../support/servers/tls/proxy.ts';
import { apiAs, installTenant } from '../support/services/tenant.ts';

/** A service's port, and the port of a proxy before it that speaks TLS with a certificate of an authority of its own. */
const useSecured = (): { plain: number; secured: number } =>
  fixture(async () => {
    const plain = await freePort();
    const proxy = await startTlsProxy(`127.0.0.1:${plain}`, ['http/1.1']);
    return { value: { plain, secured: proxy.port }, close: () => Promise.resolve(proxy.stop()) };
  });

describe('TLS between our own services', function () {
  this.timeout(120_000);
  const backend = useSecured();
  const orders = useSecured();
  const stack = useStack(() => ({
    env: {
      BACKEND_PORT: String(backend.plain),
      ORDERS_PORT: String(orders.plain),
      BACKEND_URL: `https://localhost:${backend.secured}`,
      ORDERS_URL: `https://localhost:${orders.secured}`,
      INTERNAL_TLS_CA: authorityFile,
    },
  }));

  it('is used for everything that the BFF calls, with an authority of one’s own', async () => {
    const tenant = await installTenant(stack, { tenantId: 'secured', serviceNumberId: 'sn-secured', contacts: 2 });
    expect((await tenant.api.get<{ items: unknown[] }>('/contacts?serviceNumberId=sn-secured')).items).to.have.length(
      2,
    );
    const desk = await apiAs(stack, { sub: 'ada', tenantId: 'secured', roles: ['order_admin'] });
    await desk.put('/transaction/v1/admin/tenants/secured', { name: 'Shop', businessType: 0 });
    const stored = await stack.database.connect('orders', 'owner')('tenant').select('tenant_id');
    expect(stored).to.deep.equal([{ tenantId: 'secured' }]);
  });

  it('is refused where the authority is not known', async () => {
    const [secret] = stack.settings.INTERNAL_API_SECRET;
    const of = async (authorities?: Buffer): Promise<string> => {
      const client = createBackendClient({ baseUrl: stack.settings.BACKEND_URL, secret, authorities });
      const result = await client.ping().then(() => 'up', String);
      await client.close();
      return result;
    };
    expect(await of(readFileSync(authorityFile))).to.equal('up');
    expect(await of()).to.match(/SELF_SIGNED|UNABLE_TO|unable/);
  });
});
