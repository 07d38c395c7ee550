import { expect } from 'chai';
import type { NotedAudit } from '#domain/api/internal.ts';
import { responseOf, installed } from '#test/support/services/bff.ts';
import { signIn as signInAs } from '#test/support/services/bff-sign-in.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { useBff } from '#test/support/fixtures/services.ts';

describe('back-channel logout', () => {
  const bff = useBff();
  let tenantId: string;
  let people = 0;
  let sub: string;
  before(async () => {
    tenantId = (await installed(bff)).platformTenantId;
  });
  beforeEach(() => {
    people += 1;
    sub = `person-${people}`;
  });

  const signIn = async (claims: object = {}): Promise<string> =>
    (await signInAs(bff, { tenantId, sub, ...claims })).cookie;
  const me = async (headers: Record<string, string>): Promise<number> =>
    (await fetch(`${bff.url}/api/v1/me`, { headers })).status;
  const tell = async (body: string | URLSearchParams, headers: Record<string, string> = {}) =>
    responseOf(await fetch(`${bff.url}/api/v1/auth/backchannel-logout`, { method: 'POST', body, headers }));
  const tellOf = async (...given: Parameters<typeof bff.identity.logoutToken>) =>
    tell(new URLSearchParams({ logout_token: await bff.identity.logoutToken(...given) }));

  it('ends the sessions that began with one of the identity service, and no other of the person', async () => {
    const [one, same, other] = [
      await signIn({ sid: 's-1' }),
      await signIn({ sid: 's-1' }),
      await signIn({ sid: 's-2' }),
    ];
    const told = await tellOf({ sub, sid: 's-1' });
    expect([told.status, told.headers.get('cache-control')]).to.deep.equal([200, 'no-store']);
    expect([await me({ cookie: one }), await me({ cookie: same }), await me({ cookie: other })]).to.deep.equal([
      401, 401, 200,
    ]);
    const kept = await bff.rows('session').where({ user_id: sub }).whereNotNull('refresh_token_encrypted');
    expect(kept).to.have.length(1);
  });

  it('ends all sessions of a person, by cookie and by token, and signs nobody in by such a token again', async () => {
    const token = { authorization: `Bearer ${await bff.identity.token({ tenantId, sub })}` };
    const colleague = await signIn({ sub: `${sub}-colleague` });
    const cookies = [await signIn({ sid: 's-3' }), await signIn()];
    expect(await me(token)).to.equal(200);
    expect((await tellOf({ sub })).status).to.equal(200);
    for (const cookie of cookies) expect(await me({ cookie })).to.equal(401);
    for (const _ of [1, 2]) expect(await me(token)).to.equal(401);
    expect(await me({ cookie: colleague })).to.equal(200);
    expect(await me({ cookie: await signIn() })).to.equal(200);
  });

  it('is in the audit log, once for each person and tenant whose sessions it ended', async () => {
    bff.backend.calls.length = 0;
    const cookies = [await signIn({ sid: 's-4' }), await signIn({ sid: 's-4' })];
    expect((await tellOf({ sub, sid: 's-4' })).status).to.equal(200);
    for (const cookie of cookies) expect(await me({ cookie })).to.equal(401);
    const ends = () =>
      bff.backend
        .of(/audit-entries$/)
        .flatMap(({ json }) => json['entries'] as NotedAudit[])
        .filter(({ action, objectId }) => action === 'session.end' && objectId === sub);
    await eventually('an entry', async () => ends().length > 0);
    expect(ends().map(({ platformTenantId, actor, objectId }) => [platformTenantId, actor, objectId])).to.deep.equal([
      [tenantId, 'service:identity', sub],
    ]);
  });

  it('says once that nobody was signed in any more, and is then a replay', async () => {
    const jti = `message-of-${sub}`;
    expect((await tellOf({ sub, jti })).status).to.equal(200);
    const cookie = await signIn();
    expect((await tellOf({ sub, jti })).status).to.equal(400);
    expect(await me({ cookie })).to.equal(200);
  });

  const now = () => Math.floor(Date.now() / 1000);
  const refused: [string, () => Parameters<typeof bff.identity.logoutToken>][] = [
    ['another issuer', () => [{ sub, iss: 'https://another.example' }]],
    ['another audience', () => [{ sub, aud: 'another' }]],
    ['another signer', () => [{ sub }, { key: 'foreign' }]],
    ['another kind', () => [{ sub }, { typ: 'at+jwt' }]],
    ['the past', () => [{ sub, exp: now() - 60 }]],
    ['an hour ago, still valid', () => [{ sub, iat: now() - 3600 }]],
    ['the future', () => [{ sub, iat: now() + 600 }]],
    ['nobody', () => [{}]],
    ['an ID token’s making, with a nonce', () => [{ sub, nonce: 'n' }]],
    ['no event', () => [{ sub, events: undefined }]],
    ['another event', () => [{ sub, events: { 'http://schemas.openid.net/event/other': {} } }]],
    ['no message', () => [{ sub, jti: undefined }]],
    ['no time', () => [{ sub, exp: undefined }]],
  ];
  for (const [what, given] of refused) {
    it(`is refused with a token of ${what}`, async () => {
      const cookie = await signIn();
      const told = await tellOf(...given());
      expect([told.status, told.body['code']]).to.deep.equal([400, 'invalid_request']);
      expect(told.headers.get('cache-control')).to.equal('no-store');
      expect(await me({ cookie })).to.equal(200);
    });
  }

  it('is refused with an ID token, without a token, with two, and in another form', async () => {
    const cookie = await signIn();
    const idToken = await bff.identity.token({ tenantId, sub });
    const good = await bff.identity.logoutToken({ sub });
    for (const body of [
      new URLSearchParams({ logout_token: idToken }),
      new URLSearchParams({ token: good }),
      new URLSearchParams([
        ['logout_token', good],
        ['logout_token', good],
      ]),
    ])
      expect((await tell(body)).status).to.equal(400);
    expect(
      (await tell(JSON.stringify({ logout_token: good }), { 'content-type': 'application/json' })).status,
    ).to.equal(415);
    const form = new URLSearchParams({ logout_token: good });
    expect((await tell(form, { 'content-encoding': 'gzip' })).status).to.equal(415);
    expect((await tell(new URLSearchParams({ logout_token: 'x'.repeat(70_000) }))).status).to.equal(413);
    expect(await me({ cookie })).to.equal(200);
  });

  it('does not sign anybody in by its tokens', async () => {
    const authorization = `Bearer ${await bff.identity.logoutToken({ sub, tenantId, roles: ['tenant_admin'] })}`;
    expect(await me({ authorization })).to.equal(401);
  });
});
