import { expect } from 'chai';
import { type ApiResponse, responseOf, installed } from '#test/support/services/bff.ts';
import { finishUninstall } from '#commands/bff/finish-uninstall.ts';
import { useBff } from '#test/support/fixtures/services.ts';

/** The BFF's token request as the backend received it. */
interface Exchanged {
  platformTenantId: string;
  externalTenantId: string;
}

describe('the tenant mapping', () => {
  const bff = useBff();
  beforeEach(() => {
    bff.backend.behave(() => null);
    bff.backend.calls.length = 0;
  });

  const campaigns = async (token: string): Promise<ApiResponse> =>
    responseOf(await fetch(`${bff.url}/api/v1/campaigns`, { headers: { authorization: `Bearer ${token}` } }));
  const exchanges = (): Exchanged[] => bff.backend.of(/\/tokens$/).map(({ json }) => json as unknown as Exchanged);
  const tenantsSeen = () => exchanges().map(({ externalTenantId }) => externalTenantId);
  const tokenOf = (tenantId: string, sub = 'ada') => bff.identity.token({ tenantId, sub });
  const mapping = (platformTenantId: string) =>
    bff.rows('tenant_mapping').where({ platform_tenant_id: platformTenantId });

  it('S0-AU6: maps each tenant’s people to that tenant at the backend, even the same person in two tenants', async () => {
    const [first, second] = [await installed(bff), await installed(bff)];
    await mapping(first.platformTenantId).update({ external_tenant_id: 'mapped-first' });
    await mapping(second.platformTenantId).update({ external_tenant_id: 'mapped-second' });
    const tokens = [await tokenOf(first.platformTenantId), await tokenOf(second.platformTenantId)];
    const responses = await Promise.all([...tokens, ...tokens].map(campaigns));
    expect(responses.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    const pairs = new Set(exchanges().map((asked) => `${asked.platformTenantId} ${asked.externalTenantId}`));
    expect([...pairs].toSorted()).to.deep.equal(
      [`${first.platformTenantId} mapped-first`, `${second.platformTenantId} mapped-second`].toSorted(),
    );
  });

  it('a tenant without a mapping gets 403, and the backend is not called', async () => {
    const unmapped = await installed(bff);
    await mapping(unmapped.platformTenantId).delete();
    for (const tenantId of [unmapped.platformTenantId, 'never-heard-of']) {
      const response = await campaigns(await tokenOf(tenantId));
      expect([response.status, response.body['code']]).to.deep.equal([403, 'forbidden']);
    }
    expect(bff.backend.calls).to.deep.equal([]);
  });

  it('S0-AU6: a mapping to another tenant’s integration grants no access', async () => {
    const [victim, intruder] = [await installed(bff), await installed(bff)];
    await mapping(intruder.platformTenantId).update({
      external_tenant_id: `external-${victim.platformTenantId}`,
      tenant_integration_id: victim.tenantIntegrationId,
    });
    expect((await campaigns(await tokenOf(intruder.platformTenantId))).status).to.equal(403);
    expect(bff.backend.calls).to.deep.equal([]);
  });

  it('ends with the uninstall, for tokens and sessions that were valid before', async () => {
    const tenant = await installed(bff);
    const token = await tokenOf(tenant.platformTenantId);
    expect((await campaigns(token)).status).to.equal(200);
    await finishUninstall(bff.database, tenant.tenantIntegrationId);
    expect(await mapping(tenant.platformTenantId)).to.deep.equal([]);
    bff.backend.calls.length = 0;
    for (const again of [token, await tokenOf(tenant.platformTenantId)]) {
      expect((await campaigns(again)).status).to.equal(403);
    }
    expect(bff.backend.calls).to.deep.equal([]);
  });

  it('a changed mapping takes effect at once: no token for the previous tenant is used', async () => {
    const tenant = await installed(bff);
    const token = await tokenOf(tenant.platformTenantId);
    await campaigns(token);
    await mapping(tenant.platformTenantId).update({ external_tenant_id: 'moved' });
    await campaigns(token);
    expect(tenantsSeen()).to.deep.equal([`external-${tenant.platformTenantId}`, 'moved']);
  });

  it('the exchanged token is renewed before it expires, and when the backend rejects it', async () => {
    const tenant = await installed(bff);
    const token = await tokenOf(tenant.platformTenantId);
    let given = 0;
    let lifeMs = 300_000;
    bff.backend.behave(({ path, headers }) => {
      if (path.endsWith('/tokens')) {
        given += 1;
        const expiresAt = new Date(Date.now() + lifeMs).toISOString();
        return { status: 200, body: { token: `service-account-${given}`, expiresAt } };
      }
      // The backend no longer accepts the first token, as if its secret had changed.
      return headers.authorization === 'Bearer service-account-1' ? { status: 401 } : null;
    });
    expect((await campaigns(token)).status).to.equal(200);
    expect(bff.backend.of(/campaigns$/).at(-1)?.headers.authorization).to.equal('Bearer service-account-2');
    await campaigns(token);
    expect(given).to.equal(2);
    lifeMs = 10_000;
    await bff.rows('session').delete();
    await campaigns(token);
    const before = given;
    await campaigns(token);
    expect(given).to.equal(before + 1);
  });
});
