import { expect } from 'chai';
import type { TestIntegration } from '#test/support/services/bff.ts';
import { installed } from '#test/support/services/bff.ts';
import { externalTenantOf } from '#test/support/services/backend.ts';
import { useBackend, useBff } from '#test/support/fixtures/services.ts';

describe('calls of the frontend API with an Idempotency-Key', () => {
  const backend = useBackend();
  const bff = useBff(() => ({ backendUrl: backend.base }));
  let integration: TestIntegration;
  let token: string;
  /** What the BFF asks of the backend: without it, it cannot be reached. */
  let reachable = true;

  before(async () => {
    integration = await installed(bff);
    const { platformTenantId: tenantId, tenantIntegrationId } = integration;
    await backend.install(tenantId, { tenantIntegrationId });
    await bff.rows('tenant_mapping').update({ external_tenant_id: await externalTenantOf(backend.db, tenantId) });
    bff.backend.behave(async ({ path, json }) => {
      const [own] = /\/(tokens$|audit-entries$|idempotent-calls).*/.exec(path) ?? [];
      if (own === undefined) return null;
      if (!reachable && own.startsWith('/idempotent')) return { status: 503 };
      const { status, body } = await backend.service('POST', own, json);
      return { status, body };
    });
    token = await bff.identity.token({ tenantId, roles: ['tenant_admin'], sub: 'ada' });
  });

  async function post(path: string, body: object, key: string, bearer = token) {
    const response = await fetch(`${bff.url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    });
    const json = (await response.json()) as Record<string, unknown>;
    const { status, headers } = response;
    return { status, json, replayed: headers.get('idempotency-replayed'), type: headers.get('content-type') };
  }
  const apiKey = (name: string) => ({ name, scopes: ['campaigns:read'] });
  const keys = (name: string) => bff.rows('api_key').where({ name });

  it('shows the key that was made again, and makes no second one', async () => {
    const first = await post('/api-keys', apiKey('Shop'), 'once');
    expect([first.status, first.replayed, typeof first.json['key']]).to.deep.equal([201, null, 'string']);
    const second = await post('/api-keys', apiKey('Shop'), 'once');
    expect(second).to.deep.equal({ ...first, replayed: 'true' });
    expect(await keys('Shop')).to.have.length(1);
    const entries = await backend.db('audit_log').where({ action: 'api_key.create', object_id: first.json['id'] });
    expect(entries).to.have.length(1);
    const stored = JSON.stringify(await backend.db('idempotent_call'));
    expect(stored).not.to.contain(first.json['key']);

    const other = await post('/api-keys', apiKey('Other'), 'once');
    expect([other.status, other.json['code']]).to.deep.equal([422, 'idempotency_key_reused']);
    const { platformTenantId: tenantId } = integration;
    const viewer = await bff.identity.token({ tenantId, roles: ['viewer'], sub: 'ada' });
    expect((await post('/api-keys', apiKey('Shop'), 'once', viewer)).status, 'without the right').to.equal(403);
    const session = await bff.identity.token({ tenantId, roles: ['tenant_admin'], sub: 'ada' });
    expect((await post('/api-keys', apiKey('Shop'), 'once', session)).replayed, 'in another session').to.equal('true');
    expect(await keys('Other')).to.deep.equal([]);
  });

  it('shows a key for orders again to nobody who may no longer make one', async () => {
    const { platformTenantId: tenantId } = integration;
    const as = (roles: string[]) => bff.identity.token({ tenantId, roles, sub: 'ada' });
    const body = { name: 'Till', scopes: ['orders:refund'] };
    const both = ['tenant_admin', 'order_admin'];
    expect((await post('/api-keys', body, 'till', await as(both))).status).to.equal(201);
    const without = await post('/api-keys', body, 'till');
    expect([without.status, without.json['code'], without.json['key']]).to.deep.equal([403, 'forbidden', undefined]);
    expect((await post('/api-keys', body, 'till', await as(both))).replayed).to.equal('true');
    expect(await keys('Till')).to.have.length(1);
  });

  it('makes nothing under a key that it cannot note', async () => {
    reachable = false;
    const { status, json } = await post('/api-keys', apiKey('Away'), 'away');
    reachable = true;
    expect([status, json['code']]).to.deep.equal([503, 'unavailable']);
    expect(await keys('Away')).to.deep.equal([]);
    expect((await post('/api-keys', apiKey('Away'), 'away')).status).to.equal(201);
  });

  it('passes keys on to the backend, also an empty one, and says what is a replay', async () => {
    const tag = { serviceNumberId: 'sn-1', name: 'Forwarded', kind: 'permanent' };
    const first = await post('/tags', tag, 'forwarded');
    expect([first.status, first.replayed]).to.deep.equal([201, null]);
    expect(await post('/tags', tag, 'forwarded')).to.deep.equal({ ...first, replayed: 'true' });
    expect(await backend.db('tag').where({ name: 'Forwarded' })).to.have.length(1);
    for (const path of ['/tags', '/api-keys']) {
      const { status, json } = await post(path, tag, '');
      const [error] = json['errors'] as { path: string }[];
      expect([status, json['code'], error?.path]).to.deep.equal([400, 'invalid_request', 'header/idempotency-key']);
    }
  });
});
