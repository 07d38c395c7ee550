import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { freePort } from '#scripts/start/ports.ts';
import { listen } from '../http/listen.ts';

export interface TestIdentity {
  issuer: string;
  clientId: string;
  /** A platform token of this issuer; the given claims override the defaults. */
  token(claims?: JWTPayload, options?: { key?: 'own' | 'foreign' }): Promise<string>;
  /** A logout token for this person, with the given claims instead. */
  logoutToken(claims?: JWTPayload, options?: { key?: 'own' | 'foreign'; typ?: string }): Promise<string>;
  /** Refresh tokens that were revoked. */
  revoked: string[];
  /** Refresh tokens that were exchanged; each is valid once. */
  refreshed: string[];
  /** What happens to refresh tokens: claims for the next ID tokens, an error, or none issued at sign-in. */
  refreshing(behaviour: Refreshing): void;
  /** Simulates consent to the sign-in that `location` requests; returns the address the browser is redirected to. */
  consent(location: string, claims?: JWTPayload): string;
  close(): Promise<void>;
}

export type Refreshing = { claims: JWTPayload } | { error: string; status: number } | 'not offered';

interface Grant {
  challenge: string;
  nonce: string;
  claims: JWTPayload;
}

/**
 * An identity service over real HTTP: discovery, keys, and a token endpoint that checks PKCE and the client secret.
 */
export async function startTestIdentity(
  options: { clientId?: string; clientSecret?: string; lifeSeconds?: number } = {},
): Promise<TestIdentity> {
  const { clientId = 'outreach-console', clientSecret = 'identity-client-secret', lifeSeconds = 3600 } = options;
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const own = await generateKeyPair('ES256');
  const foreign = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' };
  const grants = new Map<string, Grant>();
  const refreshTokens = new Map<string, JWTPayload>();
  const refreshed: string[] = [];
  const revoked: string[] = [];
  let refreshing: Refreshing = { claims: {} };

  const token: TestIdentity['token'] = async (claims = {}, { key = 'own' } = {}) => {
    const now = Math.floor(Date.now() / 1000);
    const usual = { iss: issuer, aud: clientId, sub: 'user-1', iat: now, exp: now + lifeSeconds };
    const person = { name: 'Ada', tenantId: 'tenant-1', roles: ['tenant_admin'], jti: randomUUID() };
    return new SignJWT({ ...usual, ...person, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .sign(key === 'own' ? own.privateKey : foreign.privateKey);
  };

  const logoutToken: TestIdentity['logoutToken'] = async (claims = {}, { key = 'own', typ = 'logout+jwt' } = {}) => {
    const now = Math.floor(Date.now() / 1000);
    const usual = { iss: issuer, aud: clientId, iat: now, exp: now + 120, jti: randomUUID() };
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    return new SignJWT({ ...usual, events, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'k1', typ })
      .sign(key === 'own' ? own.privateKey : foreign.privateKey);
  };

  async function exchange(form: URLSearchParams, authorization: string | undefined): Promise<[number, unknown]> {
    // RFC 6749, 2.3.1: both are form-encoded first.
    const given = Buffer.from(authorization?.replace(/^Basic /, '') ?? '', 'base64').toString();
    if (given.split(':').map(decodeURIComponent).join(':') !== `${clientId}:${clientSecret}`)
      return [401, { error: 'invalid_client' }];
    const toRevoke = form.get('token');
    if (toRevoke !== null) {
      if (refreshing !== 'not offered' && 'error' in refreshing)
        return [refreshing.status, { error: refreshing.error }];
      refreshTokens.delete(toRevoke);
      revoked.push(toRevoke);
      return [200, {}];
    }
    if (form.get('grant_type') === 'refresh_token') return refresh(form.get('refresh_token') ?? '');
    const grant = grants.get(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!grant || grant.challenge !== challenge) return [400, { error: 'invalid_grant' }];
    grants.delete(form.get('code') ?? '');
    return respondWithTokens({ nonce: grant.nonce, ...grant.claims }, grant.claims);
  }

  async function refresh(refreshToken: string): Promise<[number, unknown]> {
    const claims = refreshTokens.get(refreshToken);
    if (!claims || refreshing === 'not offered') return [400, { error: 'invalid_grant' }];
    if ('error' in refreshing) return [refreshing.status, { error: refreshing.error }];
    refreshTokens.delete(refreshToken);
    refreshed.push(refreshToken);
    // The next token gets an expiry of its own.
    const { exp: _, ...same } = claims;
    return respondWithTokens({ ...same, ...refreshing.claims }, same);
  }

  async function respondWithTokens(claims: JWTPayload, kept: JWTPayload): Promise<[number, unknown]> {
    const given = { access_token: randomUUID(), token_type: 'Bearer', expires_in: 3600, id_token: await token(claims) };
    if (refreshing === 'not offered') return [200, given];
    const refreshToken = randomUUID();
    refreshTokens.set(refreshToken, kept);
    return [200, { ...given, refresh_token: refreshToken }];
  }

  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      void serve(Buffer.concat(parts).toString());
    });
    async function serve(text: string): Promise<void> {
      const [status, body] = await result(text);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    }
    async function result(text: string): Promise<[number, unknown]> {
      if (request.url === '/.well-known/openid-configuration') {
        return [
          200,
          {
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            end_session_endpoint: `${issuer}/end-session`,
            revocation_endpoint: `${issuer}/revocation`,
            jwks_uri: `${issuer}/jwks`,
            response_types_supported: ['code'],
            scopes_supported: ['openid', 'profile', 'offline_access'],
            subject_types_supported: ['public'],
            id_token_signing_alg_values_supported: ['ES256'],
            code_challenge_methods_supported: ['S256'],
          },
        ];
      }
      if (request.url === '/jwks') return [200, { keys: [jwk] }];
      if (request.url === '/token' || request.url === '/revocation')
        return exchange(new URLSearchParams(text), request.headers.authorization);
      return [404, {}];
    }
  });
  await listen(server, port);
  return {
    issuer,
    clientId,
    token,
    logoutToken,
    refreshed,
    revoked,
    refreshing: (behaviour) => {
      refreshing = behaviour;
    },
    consent(location, claims = {}) {
      const asked = new URL(location).searchParams;
      const code = randomUUID();
      grants.set(code, { challenge: asked.get('code_challenge') ?? '', nonce: asked.get('nonce') ?? '', claims });
      const back = new URL(asked.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code, state: asked.get('state') ?? '', iss: issuer }).toString();
      return back.href;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
