import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { startRunning } from '../testing/running.ts';
import type { Running } from '../testing/running.ts';

describe('sandbox: identity', () => {
  let running: Running;
  let discovery: Record<string, string>;

  before(async () => {
    running = await startRunning();
    const response = await fetch(`${running.settings.IDENTITY_ISSUER}/.well-known/openid-configuration`);
    discovery = (await response.json()) as Record<string, string>;
  });
  after(() => running.end());

  /** A minimal browser: cookies by name, redirects followed by hand. */
  function browser() {
    const cookies = new Map<string, string>();
    return async (url: string, form?: Record<string, string>) => {
      const response = await fetch(url, {
        method: form ? 'POST' : 'GET',
        redirect: 'manual',
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '), accept: 'text/html' },
        ...(form ? { body: new URLSearchParams(form) } : {}),
      });
      for (const line of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      return {
        status: response.status,
        text: await response.text(),
        location: location ? new URL(location, url).href : '',
      };
    };
  }

  async function signIn(sub: string, redirectUri: string, withBasic: boolean, go = browser()) {
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      client_id: running.settings.IDENTITY_CLIENT_ID,
      response_type: 'code',
      scope: 'openid profile',
      redirect_uri: redirectUri,
      state: 'xyz',
      nonce: 'n1',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const asked = await go(`${discovery.authorization_endpoint ?? ''}?${query.toString()}`);
    const list = await go(asked.location);
    expect(list.text).to.include('Ada Lin').and.to.include('Finn Baker');
    const chosen = await go(asked.location, { sub });
    let back = await go(chosen.location);
    // Someone else was signed in: the provider signs that person out with a self-submitting form.
    const [, action] = /<form method="post" action="([^"]+)"/.exec(back.text) ?? [];
    if (action) {
      const fields = [...back.text.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]);
      const signedOut = await go(action, Object.fromEntries(fields) as Record<string, string>);
      back = await go(signedOut.location);
    }
    const callback = new URL(back.location);
    const { IDENTITY_CLIENT_ID: id, IDENTITY_CLIENT_SECRET: secret } = running.settings;
    const response = await fetch(discovery.token_endpoint ?? '', {
      method: 'POST',
      headers: withBasic ? { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` } : {},
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: callback.searchParams.get('code') ?? '',
        redirect_uri: redirectUri,
        code_verifier: verifier,
        ...(withBasic ? {} : { client_id: id, client_secret: secret }),
      }),
    });
    return { callback, tokens: (await response.json()) as Record<string, string> };
  }

  it('signs people in with code and PKCE; the ID token carries name, tenant and roles', async () => {
    expect(discovery.issuer).to.equal(running.settings.IDENTITY_ISSUER);
    const redirectUri = `${running.settings.PUBLIC_BFF_URL}/api/v1/auth/callback`;
    for (const withBasic of [true, false]) {
      const { callback, tokens } = await signIn('ada', redirectUri, withBasic);
      expect(callback.searchParams.get('state')).to.equal('xyz');
      const keys = createRemoteJWKSet(new URL(discovery.jwks_uri ?? ''));
      const { issuer, audience } = {
        issuer: running.settings.IDENTITY_ISSUER,
        audience: running.settings.IDENTITY_CLIENT_ID,
      };
      const { payload } = await jwtVerify(tokens.id_token ?? '', keys, { issuer, audience });
      expect(payload).to.deep.include({
        sub: 'ada',
        name: 'Ada Lin',
        tenantId: 'harbor-coffee',
        roles: ['tenant_admin', 'order_admin'],
        nonce: 'n1',
      });
    }
  });

  it('issues a new ID token for a refresh token, each usable once', async () => {
    const redirectUri = `${running.settings.PUBLIC_BFF_URL}/api/v1/auth/callback`;
    const { IDENTITY_CLIENT_ID: id, IDENTITY_CLIENT_SECRET: secret } = running.settings;
    const refresh = async (refreshToken: string | undefined) => {
      const response = await fetch(discovery.token_endpoint ?? '', {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken ?? '' }),
      });
      return { status: response.status, tokens: (await response.json()) as Record<string, string> };
    };
    expect(discovery.scopes_supported).to.include('offline_access');
    const { tokens } = await signIn('ben', redirectUri, true);
    const first = await refresh(tokens.refresh_token);
    expect(decodeJwt(first.tokens.id_token ?? '')).to.deep.include({
      sub: 'ben',
      name: 'Ben Wu',
      tenantId: 'harbor-coffee',
      roles: ['marketing_operator'],
    });
    expect((await refresh(first.tokens.refresh_token)).status).to.equal(200);
    expect((await refresh(tokens.refresh_token)).status).to.equal(400);
  });

  it('revokes refresh tokens, and names its session in ID tokens, so that it can say when that ends', async () => {
    const { IDENTITY_CLIENT_ID: id, IDENTITY_CLIENT_SECRET: secret, PUBLIC_BFF_URL } = running.settings;
    const headers = { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
    const { tokens } = await signIn('ben', `${PUBLIC_BFF_URL}/api/v1/auth/callback`, true);
    expect(decodeJwt(tokens.id_token ?? '')['sid']).to.be.a('string');
    expect(discovery).to.deep.include({
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
    });
    const { refresh_token: token = '' } = tokens;
    const body = new URLSearchParams({ token, token_type_hint: 'refresh_token' });
    expect((await fetch(discovery.revocation_endpoint ?? '', { method: 'POST', headers, body })).status).to.equal(200);
    const again = await fetch(discovery.token_endpoint ?? '', {
      method: 'POST',
      headers,
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token }),
    });
    expect(again.status).to.equal(400);
  });

  it('redirects only to allowed addresses', async () => {
    const redirectUri = 'http://127.0.0.1:5999/callback';
    await running.call('POST', '/sandbox/redirect-uris', { redirectUri });
    const { callback } = await signIn('finn', redirectUri, true);
    expect(callback.origin).to.equal('http://127.0.0.1:5999');
  });

  it('lets another person sign in from the same browser', async () => {
    const redirectUri = `${running.settings.PUBLIC_BFF_URL}/api/v1/auth/callback`;
    const go = browser();
    for (const sub of ['ada', 'finn', 'finn', 'ben']) {
      const { tokens } = await signIn(sub, redirectUri, true, go);
      expect(decodeJwt(tokens.id_token ?? '').sub).to.equal(sub);
    }
    const told = running.application.received.filter(({ path }) => path === '/api/v1/auth/backchannel-logout');
    const tokenOf = ({ raw }: { raw: string }) => new URLSearchParams(raw).get('logout_token') ?? '';
    expect(told.map((call) => decodeJwt(tokenOf(call)).sub)).to.deep.equal(['ada', 'finn']);
  });

  it('mints platform tokens that the same keys verify, even after a restart', async () => {
    const { body } = await running.call('POST', '/sandbox/tokens', {
      sub: 'u1',
      name: 'U',
      tenantId: 't1',
      roles: ['viewer'],
      expiresInSeconds: 60,
    });
    await running.restart();
    const { payload } = await jwtVerify(String(body.token), createRemoteJWKSet(new URL(discovery.jwks_uri ?? '')), {
      issuer: running.settings.IDENTITY_ISSUER,
      audience: running.settings.IDENTITY_CLIENT_ID,
    });
    expect(payload).to.deep.include({ sub: 'u1', name: 'U', tenantId: 't1', roles: ['viewer'] });
    const past = await running.call('POST', '/sandbox/tokens', {
      sub: 'u1',
      tenantId: 't1',
      roles: [],
      expiresInSeconds: -5,
    });
    expect(decodeJwt(String(past.body.token)).exp).to.be.below(Date.now() / 1000);
  });
});
