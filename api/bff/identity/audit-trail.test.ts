import { expect } from 'chai';
import { createBackendClient } from '#clients/backend/client.ts';
import type { NotedAudit } from '#domain/api/internal.ts';
import { installed } from '#test/support/services/bff.ts';
import { signIn } from '#test/support/services/bff-sign-in.ts';
import { useBff } from '#test/support/fixtures/services.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { createLogger } from '#api/runtime/logger.ts';
import { createAuditTrail } from './audit-trail.ts';

describe('what the BFF has for the audit log', () => {
  const bff = useBff();
  let tenantId: string;
  before(async () => {
    tenantId = (await installed(bff)).platformTenantId;
  });
  beforeEach(() => {
    bff.backend.behave(() => null);
    bff.backend.calls.length = 0;
  });

  const noted = () => bff.backend.of(/audit-entries$/).flatMap(({ json }) => json['entries'] as NotedAudit[]);
  const entriesOf = async (count: number) => {
    await eventually(`${count} entries`, async () => noted().length >= count);
    return noted();
  };

  it('is who signed in and out, with our id of the request and its caller’s apart', async () => {
    const { cookie } = await signIn(bff, { tenantId, sub: 'ada', roles: ['viewer'] });
    const headers = { cookie, origin: bff.url, 'x-request-id': 'made-up' };
    const out = await fetch(`${bff.url}/api/v1/auth/logout`, { method: 'POST', headers });
    expect(out.headers.get('x-request-id')).to.equal('made-up');
    const [first, last] = await entriesOf(2);
    const of = { platformTenantId: tenantId, actor: 'ada', objectType: 'session', objectId: 'ada', after: null };
    expect(first).to.deep.include({ ...of, action: 'session.sign_in', callerRequestId: null });
    expect(last).to.deep.include({ ...of, action: 'session.sign_out', callerRequestId: 'made-up' });
    expect(last?.requestId).to.match(/^[0-9a-f-]{36}$/);
  });

  it('is who was refused what: once at first, and not again within the minute', async () => {
    const bearer = await bff.identity.token({ tenantId, sub: 'eve', roles: ['viewer'] });
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
    for (let call = 0; call < 20; call += 1) {
      const id = `01900000-0000-7000-8000-0000000000${10 + call}`;
      const response = await fetch(`${bff.url}/api/v1/campaigns/${id}:send`, { method: 'POST', headers, body: '{}' });
      expect(response.status).to.equal(403);
    }
    expect((await fetch(`${bff.url}/api/v1/tags`, { method: 'POST', headers, body: '{}' })).status).to.equal(403);
    const entries = await entriesOf(2);
    expect(entries.map(({ action, actor, objectId, after }) => ({ action, actor, objectId, after }))).to.deep.equal([
      { action: 'access.refuse', actor: 'eve', objectId: 'POST /api/v1/campaigns/{id}:send', after: { calls: 1 } },
      { action: 'access.refuse', actor: 'eve', objectId: 'POST /api/v1/tags', after: { calls: 1 } },
    ]);
    expect(bff.backend.calls.filter(({ path }) => path.includes('campaigns'))).to.have.length(0);
  });

  it('counts the others of the minute, and waits for a backend that is away', async () => {
    const backend = createBackendClient({ baseUrl: bff.backend.baseUrl, secret: 'x'.repeat(20) });
    const trail = createAuditTrail({ backend, logger: createLogger('bff', 'silent') });
    await bff.backend.stop();
    for (let call = 0; call < 5; call += 1) trail.refused({ tenantId, userId: 'eve' }, 'POST /x');
    trail.signedIn({ tenantId, userId: 'ada' });
    await bff.backend.start();
    expect((await entriesOf(2)).map(({ action }) => action)).to.deep.equal(['access.refuse', 'session.sign_in']);
    await trail.close();
    expect(noted().map(({ after }) => after)).to.deep.equal([{ calls: 1 }, null, { calls: 4 }]);
    expect(new Set(noted().map(({ auditId }) => auditId)).size).to.equal(3);
    await backend.close();
  });
});
