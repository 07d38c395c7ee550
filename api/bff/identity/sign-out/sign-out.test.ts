import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { type ApiResponse, installed, responseOf } from '#test/support/services/bff.ts';
import { cookiesOf, signIn as signInAs } from '#test/support/services/bff-sign-in.ts';
import { useBff } from '#test/support/fixtures/services.ts';
import { hashToken } from '../signed-in.ts';

describe('a sign-out', () => {
  const bff = useBff();
  let tenantId: string;
  before(async () => {
    tenantId = (await installed(bff)).platformTenantId;
  });
  beforeEach(() => {
    bff.identity.revoked.length = 0;
    bff.identity.refreshing({ claims: {} });
  });

  const signIn = async (): Promise<string> => (await signInAs(bff, { tenantId })).cookie;
  const signOut = async (cookie: string): Promise<ApiResponse> =>
    responseOf(
      await fetch(`${bff.url}/api/v1/auth/logout`, { method: 'POST', headers: { cookie, origin: bff.url }, body: '' }),
    );
  const goOn = async (cookie: string): Promise<ApiResponse> =>
    responseOf(await fetch(`${bff.url}/api/v1/auth/logout`, { headers: { cookie }, redirect: 'manual' }));
  const rowOf = async (cookie: string) =>
    bff
      .rows('session')
      .where({ token_hash: hashToken(cookie.slice(cookie.indexOf('=') + 1)) })
      .first();
  /** What the browser was given to go on with. */
  const ticketOf = (response: ApiResponse): string =>
    cookiesOf(response)
      .find((text) => text.startsWith('signed-out='))
      ?.split(';')[0] ?? expect.fail('nothing to go on with');

  it('ends the session at the identity service, too, whose refresh token is revoked', async () => {
    const cookie = await signIn();
    const out = await signOut(cookie);
    expect(out.status).to.equal(204);
    expect(bff.identity.revoked).to.have.length(1);
    expect((await rowOf(cookie)).refreshTokenEncrypted).to.equal(null);
    const ticket = ticketOf(out);
    const on = await goOn(ticket);
    expect(on.status).to.equal(302);
    const place = new URL(on.headers.get('location') ?? '');
    expect(place.href).to.match(new RegExp(`^${bff.identity.issuer}/end-session`));
    expect(place.searchParams.get('post_logout_redirect_uri')).to.equal(`${bff.url}/app`);
    expect(decodeJwt(place.searchParams.get('id_token_hint') ?? '')).to.include({ sub: 'user-1', tenantId });
    expect(bff.log()).to.not.include(place.searchParams.get('id_token_hint') ?? '');
    expect(await rowOf(cookie)).to.equal(undefined);
  });

  it('leaves nothing that gives access, and what leads on does so once', async () => {
    const cookie = await signIn();
    const ticket = ticketOf(await signOut(cookie));
    for (const header of [cookie, ticket.replace('signed-out=', 'session=')])
      expect((await fetch(`${bff.url}/api/v1/me`, { headers: { cookie: header } })).status).to.equal(401);
    expect((await goOn(ticket)).headers.get('location')).to.match(/end-session/);
    expect((await goOn(ticket)).headers.get('location')).to.equal('/app');
  });

  it('leads nobody on who has not signed out, and nobody too late', async () => {
    const cookie = await signIn();
    expect((await goOn(cookie.replace('session=', 'signed-out='))).headers.get('location')).to.equal('/app');
    expect((await fetch(`${bff.url}/api/v1/me`, { headers: { cookie } })).status).to.equal(200);
    const ticket = ticketOf(await signOut(cookie));
    await bff
      .rows('session')
      .where({ token_hash: hashToken(cookie.slice('session='.length)) })
      .update({ expires_at: new Date(Date.now() - 1) });
    expect((await goOn(ticket)).headers.get('location')).to.equal('/app');
  });

  it('succeeds though the identity service does not take the refresh token back', async () => {
    const cookie = await signIn();
    bff.identity.refreshing({ status: 503, error: 'temporarily_unavailable' });
    expect((await signOut(cookie)).status).to.equal(204);
    expect((await fetch(`${bff.url}/api/v1/me`, { headers: { cookie } })).status).to.equal(401);
    expect(bff.identity.revoked).to.deep.equal([]);
  });

  it('by a new sign-in of the same browser revokes the refresh token, too', async () => {
    const cookie = await signIn();
    const begun = await fetch(`${bff.url}/api/v1/auth/login`, { redirect: 'manual' });
    const back = bff.identity.consent(begun.headers.get('location') ?? '', { tenantId });
    const both = `${begun.headers.getSetCookie()[0]?.split(';')[0]}; ${cookie}`;
    expect((await fetch(back, { headers: { cookie: both }, redirect: 'manual' })).status).to.equal(302);
    expect(bff.identity.revoked).to.have.length(1);
  });
});
