import { expect } from 'chai';
import { type ApiResponse, responseOf, installed, type TestIntegration } from '#test/support/services/bff.ts';
import { cookiesOf, signIn as signInAs } from '#test/support/services/bff-sign-in.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { hashToken } from './signed-in.ts';
import { useBff } from '#test/support/fixtures/services.ts';

describe('identity', () => {
  const bff = useBff();
  let integration: TestIntegration;
  let tenantId: string;
  before(async () => {
    integration = await installed(bff);
    tenantId = integration.platformTenantId;
  });
  beforeEach(() => {
    bff.backend.behave(() => null);
    bff.backend.calls.length = 0;
  });

  const get = async (path: string, headers: Record<string, string> = {}): Promise<ApiResponse> =>
    responseOf(await fetch(`${bff.url}${path}`, { headers, redirect: 'manual' }));
  const post = async (path: string, headers: Record<string, string> = {}): Promise<ApiResponse> =>
    responseOf(await fetch(`${bff.url}${path}`, { method: 'POST', headers, body: '{}' }));
  const bearer = async (claims: Record<string, unknown> = {}, options = {}) => ({
    authorization: `Bearer ${await bff.identity.token({ tenantId, ...claims }, options)}`,
  });
  const signIn = (claims: Record<string, unknown> = {}, returnTo?: string) =>
    signInAs(bff, { tenantId, ...claims }, returnTo);

  describe('platform tokens', () => {
    it('sign in, write the user record, and are kept as a hash', async () => {
      const headers = await bearer({ sub: 'user-9', name: 'Grace', roles: ['viewer', 'marketing_operator', 'other'] });
      const response = await get('/api/v1/me', headers);
      expect(response.status).to.equal(200);
      expect(response.body).to.deep.equal({
        userId: 'user-9',
        name: 'Grace',
        tenantId,
        roles: ['viewer', 'marketing_operator'],
        serviceNumberIds: null,
      });
      expect(bff.backend.of(/tokens$/).map((call) => call.json)).to.deep.equal([
        {
          platformTenantId: tenantId,
          externalTenantId: `external-${tenantId}`,
          userId: 'user-9',
          name: 'Grace',
          role: 'marketing_operator',
          roles: ['viewer', 'marketing_operator'],
        },
      ]);
      const token = headers.authorization.slice('Bearer '.length);
      const row = (await bff
        .rows('session')
        .where({ token_hash: hashToken(token) })
        .first()) as object;
      expect(row).to.include({ kind: 'bearer', userId: 'user-9', platformTokenEncrypted: null });
      expect(JSON.stringify(row)).to.not.include(token);
      expect((await get('/api/v1/me', headers)).status).to.equal(200);
      expect(bff.backend.of(/tokens$/)).to.have.length(1);
      expect(bff.log()).to.not.include(token);
    });

    it('sign in while the backend is down', async () => {
      await bff.backend.stop();
      const response = await get('/api/v1/me', await bearer());
      await bff.backend.start();
      expect(response.status).to.equal(200);
    });

    const now = () => Math.floor(Date.now() / 1000);
    const rejected: [string, () => Promise<Record<string, string>>][] = [
      ['no token', () => Promise.resolve({})],
      ['no bearer', () => Promise.resolve({ authorization: 'Basic abc' })],
      ['rubbish', () => Promise.resolve({ authorization: 'Bearer rubbish' })],
      ['another audience', () => bearer({ aud: 'another' })],
      ['another issuer', () => bearer({ iss: 'http://another.example' })],
      ['an expired one', () => bearer({ exp: now() - 10 })],
      ['one without exp', () => bearer({ exp: undefined })],
      ['one without sub', () => bearer({ sub: undefined })],
      ['one not yet valid', () => bearer({ nbf: now() + 600 })],
      ['one from another signer', () => bearer({}, { key: 'foreign' })],
    ];
    for (const [what, headers] of rejected) {
      it(`reject ${what} with 401`, async () => {
        const response = await get('/api/v1/me', await headers());
        expect(response.status).to.equal(401);
        expect(response.body['code']).to.equal('unauthorized');
      });
    }

    const forbidden: [string, Record<string, unknown>][] = [
      ['without roles', { roles: [] }],
      ['whose roles are not a list', { roles: 'tenant_admin' }],
      ['without a tenant', { tenantId: undefined }],
      ['of a tenant without the application', { tenantId: 'never-installed' }],
    ];
    for (const [what, claims] of forbidden) {
      it(`${what} get 403`, async () => {
        const response = await get('/api/v1/me', await bearer(claims));
        expect(response.status).to.equal(403);
        expect(response.body['code']).to.equal('forbidden');
        expect(bff.backend.of(/tokens$/)).to.deep.equal([]);
      });
    }

    it('of an order administrator identify the person, who is no user of outreach', async () => {
      const response = await get('/api/v1/me', await bearer({ roles: ['order_admin', 'unheard_of'] }));
      expect(response.status).to.equal(200);
      expect(response.body).to.deep.include({ tenantId, roles: ['order_admin'] });
      expect(bff.backend.of(/tokens$/)).to.deep.equal([]);
    });

    it('of an uninstalled tenant get 403, known or new', async () => {
      const gone = await installed(bff);
      const headers = await bearer({ tenantId: gone.platformTenantId });
      expect((await get('/api/v1/me', headers)).status).to.equal(200);
      await bff
        .rows('tenant_integration')
        .where({ tenant_integration_id: gone.tenantIntegrationId })
        .update({ status: 'UNINSTALLED' });
      expect((await get('/api/v1/me', headers)).status).to.equal(403);
      expect((await get('/api/v1/me', await bearer({ tenantId: gone.platformTenantId }))).status).to.equal(403);
    });

    it('end with their exp, though their session is kept', async () => {
      // A short lifetime may pass on a busy machine before the first response.
      for (const seconds of [2, 8, 32]) {
        const headers = await bearer({ exp: now() + seconds });
        if ((await get('/api/v1/me', headers)).status !== 200) continue;
        await eventually('refused', async () => (await get('/api/v1/me', headers)).status === 401);
        return;
      }
      throw new Error('No token was accepted before it expired');
    });
  });

  describe('sign-in by code and PKCE', () => {
    it('leads back to where it started, with a new session', async () => {
      const begun = await get('/api/v1/auth/login?returnTo=%2Fapp%2Fcampaigns%3Fstatus%3Ddraft');
      const asked = new URL(begun.headers.get('location') ?? '');
      expect(Object.fromEntries(asked.searchParams)).to.include({
        client_id: bff.identity.clientId,
        redirect_uri: `${bff.url}/api/v1/auth/callback`,
        response_type: 'code',
        code_challenge_method: 'S256',
      });
      expect(asked.searchParams.get('scope')).to.include('openid');
      const { response, cookie } = await signIn({ name: 'Ada' }, '/app/campaigns?status=draft#top');
      expect(response.status).to.equal(302);
      expect(response.headers.get('location')).to.equal('/app/campaigns?status=draft#top');
      const set = cookiesOf(response).find((text) => text.startsWith('session='));
      expect(set).to.include('HttpOnly').and.include('SameSite=Lax').and.include('Path=/');
      const me = await get('/api/v1/me', { cookie });
      expect(me.status).to.equal(200);
      expect(me.body).to.include({ name: 'Ada', tenantId });
      const row = (await bff
        .rows('session')
        .where({ token_hash: hashToken(cookie.slice('session='.length)) })
        .first()) as {
        platformTokenEncrypted: string;
      };
      expect(row.platformTokenEncrypted).to.match(/^v1\./);
      expect(bff.backend.of(/tokens$/).length).to.be.greaterThan(0);
    });

    it('leads home instead of to another site', async () => {
      const { response } = await signIn({}, '/.//evil.example');
      expect(response.headers.get('location')).to.equal('/app');
    });

    it('is rejected in another browser, with another state, or twice', async () => {
      const begun = await get('/api/v1/auth/login');
      const back = bff.identity.consent(begun.headers.get('location') ?? '', { tenantId }).slice(bff.url.length);
      const cookie = cookiesOf(begun)[0]?.split(';')[0] ?? '';
      expect((await get(back)).status).to.equal(401);
      expect((await get(back.replace(/state=[^&]+/, 'state=other'), { cookie })).status).to.equal(401);
      expect((await get(back, { cookie })).status).to.equal(302);
      expect((await get(back, { cookie })).status).to.equal(401);
      expect((await get('/api/v1/auth/callback')).status).to.equal(401);
      const refusal = back.replace(/code=[^&]+/, 'error=access_denied');
      expect((await get(refusal, { cookie })).status).to.equal(401);
    });

    it('tells people in plain language what went wrong, and how to continue', async () => {
      const response = await fetch(`${bff.url}/api/v1/auth/callback?state=x`, {
        headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
      });
      expect(response.status).to.equal(401);
      expect(response.headers.get('content-type')).to.match(/^text\/html/);
      expect(await response.text())
        .to.include('Sign in again')
        .and.include('href="/api/v1/auth/login"');
    });

    it('keeps its cookies small, however many tabs begin one: the newest three can be completed', async () => {
      const jar = new Map<string, string>();
      const keep = (response: Awaited<ReturnType<typeof get>>) => {
        for (const set of cookiesOf(response)) {
          const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=');
          if (set.includes('Max-Age=0')) jar.delete(name);
          else jar.set(name, value);
        }
      };
      const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const long = `/app/campaigns?q=${'x'.repeat(990)}`;
      const begun: string[] = [];
      for (let tab = 0; tab < 12; tab += 1) {
        const response = await get(`/api/v1/auth/login?returnTo=${encodeURIComponent(long)}`, { cookie: cookie() });
        expect(response.status).to.equal(302);
        keep(response);
        begun.push(response.headers.get('location') ?? '');
      }
      expect(cookie().length).to.be.below(8192);
      const complete = async (tab: number) => {
        const back = bff.identity.consent(begun[tab] ?? '', { tenantId }).slice(bff.url.length);
        const response = await get(back, { cookie: cookie() });
        keep(response);
        return [response.status, response.headers.get('location')];
      };
      expect(await complete(8)).to.deep.equal([401, null]);
      for (const tab of [11, 9, 10]) expect(await complete(tab)).to.deep.equal([302, long]);
    });

    it('ends the browser’s previous session', async () => {
      const { cookie } = await signIn();
      const begun = await get('/api/v1/auth/login');
      const back = bff.identity.consent(begun.headers.get('location') ?? '', { tenantId }).slice(bff.url.length);
      const both = `${cookiesOf(begun)[0]?.split(';')[0]}; ${cookie}`;
      const again = await get(back, { cookie: both });
      expect(again.status).to.equal(302);
      expect(cookiesOf(again).join()).to.not.include(cookie);
      expect((await get('/api/v1/me', { cookie })).status).to.equal(401);
    });
  });

  describe('cookie sessions', () => {
    const expire = (cookie: string, change: object) =>
      bff
        .rows('session')
        .where({ token_hash: hashToken(cookie.slice('session='.length)) })
        .update(change);

    it('end after 30 idle minutes, and after 12 hours in any case', async () => {
      const { cookie: idle } = await signIn();
      await expire(idle, { last_used_at: new Date(Date.now() - 30 * 60_000) });
      expect((await get('/api/v1/me', { cookie: idle })).status).to.equal(401);
      const { cookie: old } = await signIn();
      await expire(old, { expires_at: new Date(Date.now() - 1) });
      expect((await get('/api/v1/me', { cookie: old })).status).to.equal(401);
      const { cookie } = await signIn();
      const row = (await bff
        .rows('session')
        .where({ token_hash: hashToken(cookie.slice(8)) })
        .first()) as { expiresAt: Date };
      expect((row.expiresAt.getTime() - Date.now()) / 3_600_000).to.be.within(11.5, 12);
    });

    it('stay alive while they are used', async () => {
      const { cookie } = await signIn();
      await expire(cookie, { last_used_at: new Date(Date.now() - 29 * 60_000) });
      expect((await get('/api/v1/me', { cookie })).status).to.equal(200);
      const row = (await bff
        .rows('session')
        .where({ token_hash: hashToken(cookie.slice(8)) })
        .first()) as { lastUsedAt: Date };
      expect(Date.now() - row.lastUsedAt.getTime()).to.be.lessThan(600_000);
    });

    it('are not kept alive by what a page reads while nobody looks', async () => {
      const { cookie } = await signIn();
      const left = new Date(Date.now() - 29 * 60_000);
      await expire(cookie, { last_used_at: left });
      expect((await get('/api/v1/notices', { cookie })).status).to.not.equal(401);
      const { lastUsedAt } = await bff
        .rows('session')
        .where({ token_hash: hashToken(cookie.slice('session='.length)) })
        .first();
      expect(lastUsedAt).to.deep.equal(left);
    });

    it('end with sign-out', async () => {
      const { cookie } = await signIn();
      expect((await post('/api/v1/auth/logout', { cookie, origin: 'https://evil.example' })).status).to.equal(403);
      expect((await get('/api/v1/me', { cookie })).status).to.equal(200);
      const out = await post('/api/v1/auth/logout', { cookie, origin: bff.url });
      expect(out.status).to.equal(204);
      expect(cookiesOf(out).join()).to.include('session=;').and.include('Max-Age=0');
      expect((await get('/api/v1/me', { cookie })).status).to.equal(401);
    });

    const origins: [string, Record<string, string>, number][] = [
      ['our own origin', { origin: 'own' }, 200],
      ['another site', { origin: 'https://evil.example' }, 403],
      ['another port', { origin: 'http://127.0.0.1:1' }, 403],
      ['an opaque origin', { origin: 'null' }, 403],
      ['another site without Origin', { 'sec-fetch-site': 'cross-site' }, 403],
      ['our own page without Origin', { 'sec-fetch-site': 'same-origin' }, 200],
      ['the address bar', { 'sec-fetch-site': 'none' }, 403],
      ['a page that says neither', {}, 403],
    ];
    for (const [what, given, status] of origins) {
      it(`respond to a write from ${what} with ${status}`, async () => {
        const { cookie } = await signIn();
        const headers = { cookie, ...given, ...(given['origin'] === 'own' ? { origin: bff.url } : {}) };
        const response = await post('/api/v1/campaigns', headers);
        expect(response.status).to.equal(status);
        expect(bff.backend.of(/campaigns$/)).to.have.length(status === 200 ? 1 : 0);
      });
    }

    it('read from anywhere, since nothing reads the response', async () => {
      const { cookie } = await signIn();
      expect((await get('/api/v1/me', { cookie, origin: 'https://evil.example' })).status).to.equal(200);
    });
  });
});
