import { expect } from 'chai';
import type { SignedInSession } from '#domain/api/session.ts';
import { installed, responseOf } from '#test/support/services/bff.ts';
import { signIn as signInAs } from '#test/support/services/bff-sign-in.ts';
import type { NotedAudit } from '#domain/api/internal.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { useBff } from '#test/support/fixtures/services.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0';

describe('sessions that people see and end', () => {
  const bff = useBff();
  let tenantId: string;
  let otherTenant: string;
  let cookie: string;
  let operator: Record<string, string>;
  let administrator: Record<string, string>;
  before(async () => {
    tenantId = (await installed(bff)).platformTenantId;
    otherTenant = (await installed(bff)).platformTenantId;
  });
  beforeEach(async () => {
    await bff.rows('session').delete();
    bff.identity.revoked.length = 0;
    operator = await bearer('ben', ['marketing_operator']);
    administrator = await bearer('ada', ['tenant_admin']);
    ({ cookie } = await signInAs(bff, { tenantId, sub: 'ben', name: 'Ben', roles: ['marketing_operator'] }));
  });

  const bearer = async (sub: string, roles: string[], of = tenantId): Promise<Record<string, string>> => {
    const authorization = `Bearer ${await bff.identity.token({ tenantId: of, sub, name: sub, roles })}`;
    const headers = { authorization, 'user-agent': FIREFOX };
    expect((await fetch(`${bff.url}/api/v1/me`, { headers })).status).to.equal(200);
    return headers;
  };
  const list = async (headers: Record<string, string>, query = '') => {
    const { status, body } = await responseOf(await fetch(`${bff.url}/api/v1/sessions${query}`, { headers }));
    return { status, items: (body['items'] ?? []) as SignedInSession[], nextCursor: body['nextCursor'] };
  };
  const end = async (headers: Record<string, string>, id: string): Promise<number> =>
    (await fetch(`${bff.url}/api/v1/sessions/${id}`, { method: 'DELETE', headers })).status;
  const me = async (headers: Record<string, string>): Promise<number> =>
    (await fetch(`${bff.url}/api/v1/me`, { headers })).status;
  const idOf = async (headers: Record<string, string>): Promise<string> =>
    (await list(headers)).items.find(({ current }) => current)?.id ?? expect.fail('it has no session');

  it('are one’s own, the newest first, without anything that gives access', async () => {
    const { status, items, nextCursor } = await list(operator);
    expect([status, nextCursor]).to.deep.equal([200, null]);
    expect(items.map(({ kind, current, userId }) => [kind, current, userId])).to.deep.equal([
      ['cookie', false, 'ben'],
      ['bearer', true, 'ben'],
    ]);
    expect(items[1]?.userAgent).to.equal('Firefox (Windows)');
    expect(Object.keys(items[0] ?? {}).toSorted()).to.deep.equal(
      ['createdAt', 'current', 'id', 'kind', 'lastUsedAt', 'name', 'userAgent', 'userId'].toSorted(),
    );
    const [first] = (await list(operator, '?limit=1')).items;
    const { nextCursor: cursor } = await list(operator, '?limit=1');
    const rest = await list(operator, `?limit=1&cursor=${String(cursor)}`);
    expect([first?.id, ...rest.items.map(({ id }) => id)]).to.deep.equal(items.map(({ id }) => id));
  });

  it('of others are an administrator’s to see, of one person or all, and of the own tenant alone', async () => {
    const theirs = await bearer('eve', ['tenant_admin'], otherTenant);
    for (const query of ['?userId=ada', '?scope=tenant', '?scope=tenant&userId=ada'])
      expect((await list(operator, query)).status).to.equal(403);
    expect((await list(operator, '?userId=ben')).items).to.have.length(2);
    expect((await list(administrator, '?userId=ben')).items).to.have.length(2);
    expect((await list(administrator, '?scope=tenant')).items).to.have.length(3);
    expect((await list(administrator)).items).to.have.length(1);
    expect((await list(theirs, '?scope=tenant')).items.map(({ userId }) => userId)).to.deep.equal(['eve']);
    expect((await list(theirs, '?userId=ben')).items).to.deep.equal([]);
  });

  it('end at once, with their refresh token, and only those that were meant', async () => {
    const own = { cookie, origin: bff.url };
    const id = await idOf(own);
    expect(await end(operator, id)).to.equal(204);
    expect([await me(own), await me(operator), await me(administrator)]).to.deep.equal([401, 200, 200]);
    expect(bff.identity.revoked).to.have.length(1);
    expect(await end(operator, id)).to.equal(404);
  });

  it('are in the audit log when somebody ends them: who did, and whose it was', async () => {
    bff.backend.calls.length = 0;
    expect(await end(administrator, await idOf(operator))).to.equal(204);
    const entry = await eventually('an entry', async () =>
      bff.backend
        .of(/audit-entries$/)
        .flatMap(({ json }) => json['entries'] as NotedAudit[])
        .find(({ action, actor, objectId }) => action === 'session.end' && actor !== objectId),
    );
    expect(entry).to.deep.include({ platformTenantId: tenantId, actor: 'ada', objectType: 'session', objectId: 'ben' });
    expect(await end(administrator, await idOf(administrator))).to.equal(204);
    expect(await end(administrator, 'nonsense')).to.equal(401);
  });

  it('of a platform token end for good: it signs nobody in again', async () => {
    expect(await end(administrator, await idOf(operator))).to.equal(204);
    for (const _ of [1, 2]) expect(await me(operator)).to.equal(401);
    expect((await list(administrator, '?userId=ben')).items.map(({ kind }) => kind)).to.deep.equal(['cookie']);
  });

  it('of others are unknown to all but an administrator of the tenant', async () => {
    const theirs = await bearer('eve', ['tenant_admin'], otherTenant);
    const id = await idOf(administrator);
    expect(await end(operator, id)).to.equal(404);
    expect(await end(theirs, id)).to.equal(404);
    expect(await end(operator, 'nonsense')).to.equal(404);
    expect(await me(administrator)).to.equal(200);
    expect(await end({ cookie, origin: 'https://evil.example' }, await idOf({ cookie }))).to.equal(403);
    expect(await me({ cookie })).to.equal(200);
  });

  it('that expired, were idle for too long or have ended are not listed', async () => {
    const change = (values: object) => bff.rows('session').where({ kind: 'cookie' }).update(values);
    await change({ last_used_at: new Date(Date.now() - 31 * 60_000) });
    expect((await list(operator)).items).to.have.length(1);
    await change({ last_used_at: new Date(), expires_at: new Date(Date.now() - 1) });
    expect((await list(operator)).items).to.have.length(1);
  });
});
