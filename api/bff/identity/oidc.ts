import * as oidc from 'openid-client';
import { Problem } from '#domain/api/problem.ts';
import { identityServiceAway } from './verified.ts';

/** What a sign-in must remember until the browser comes back. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface OidcClient {
  /** Returns where to send the browser, and what to keep until it comes back. */
  begin(): Promise<{ location: string; secrets: SignInSecrets }>;
  /**
   * Exchanges the returned code for tokens. The signature of the ID token has not been checked yet.
   * @throws Problem `unauthorized` if the identity service rejects it, `unavailable` if it cannot be reached.
   */
  finish(returnedTo: URL, secrets: SignInSecrets): Promise<GivenTokens>;
  /**
   * Requests a new ID token. The old refresh token may be invalid afterwards.
   * @throws Problem `unauthorized` if the identity service rejects it, `unavailable` if it cannot be reached.
   */
  renew(refreshToken: string): Promise<GivenTokens>;
  /**
   * Where a browser that has signed out goes, so that the session at the identity service ends, too; it comes back to
   * `signedOutUri`. Null if the identity service offers no such place.
   * @throws Problem `unavailable` if it cannot be reached.
   */
  signedOutAt(idToken: string): Promise<string | null>;
  /**
   * Has the identity service forget a refresh token, if it offers that.
   * @throws Problem if it rejects that or cannot be reached.
   */
  revoke(refreshToken: string): Promise<void>;
}

/** ID token and, if the identity service issues one, a refresh token. */
export interface GivenTokens {
  idToken: string;
  refreshToken: string | null;
}

const TIMEOUT_SECONDS = 5;

/**
 * The authentication method that the identity service announces, or basic if it announces none (OpenID Connect
 * Discovery).
 */
function clientSecret(secret: string): oidc.ClientAuth {
  const basic = oidc.ClientSecretBasic(secret);
  const post = oidc.ClientSecretPost(secret);
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported;
    const useBasic = !methods || methods.includes('client_secret_basic');
    (useBasic ? basic : post)(server, client, body, headers);
  };
}

const awayCodes = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

/**
 * A broken connection or response means that the identity service is unavailable; anything else rejects this sign-in.
 */
function failure(error: unknown): Problem {
  const { code, status } = (error ?? {}) as { code?: unknown; status?: unknown };
  const busy = typeof status === 'number' && (status === 429 || status >= 500);
  if (error instanceof TypeError || busy || awayCodes.has(String(code))) return identityServiceAway(error);
  return new Problem('unauthorized', 'The sign-in was rejected; start again', { cause: error });
}

/** If the identity service offers refresh tokens, sessions outlive their first ID token. */
function scopesFor(server: oidc.Configuration): string {
  const offered = server.serverMetadata().scopes_supported ?? [];
  return offered.includes('offline_access') ? 'openid profile offline_access' : 'openid profile';
}

async function authorizationOf(server: oidc.Configuration, redirectUri: string) {
  const secrets = {
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    codeVerifier: oidc.randomPKCECodeVerifier(),
  };
  const location = oidc.buildAuthorizationUrl(server, {
    redirect_uri: redirectUri,
    scope: scopesFor(server),
    response_type: 'code',
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(secrets.codeVerifier),
    code_challenge_method: 'S256',
  });
  return { location: location.href, secrets };
}

function given(tokens: { id_token?: string; refresh_token?: string }): GivenTokens {
  if (!tokens.id_token) throw new Problem('unauthorized', 'The identity service did not return an ID token');
  return { idToken: tokens.id_token, refreshToken: tokens.refresh_token ?? null };
}

function endSessionAddress(server: oidc.Configuration, idToken: string, signedOutUri: string): string | null {
  if (server.serverMetadata().end_session_endpoint === undefined) return null;
  const parameters = { id_token_hint: idToken, post_logout_redirect_uri: signedOutUri };
  return oidc.buildEndSessionUrl(server, parameters).href;
}

async function revokeBy(server: oidc.Configuration, refreshToken: string): Promise<void> {
  if (server.serverMetadata().revocation_endpoint === undefined) return;
  try {
    await oidc.tokenRevocation(server, refreshToken, { token_type_hint: 'refresh_token' });
  } catch (error) {
    throw failure(error);
  }
}

/**
 * Authorization code flow with PKCE (S256) at `issuer`. Discovery is read at the first sign-in and retried until it
 * succeeds, so the BFF can start first.
 */
export function createOidcClient(options: {
  issuer: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  /** Our page to which the identity service redirects after a sign-out. */
  signedOutUri: string;
}): OidcClient {
  let discovered: Promise<oidc.Configuration> | undefined;

  function configuration(): Promise<oidc.Configuration> {
    const issuer = new URL(options.issuer);
    discovered ??= oidc
      .discovery(issuer, options.clientId, undefined, clientSecret(options.clientSecret), {
        timeout: TIMEOUT_SECONDS,
        execute: issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [],
      })
      .catch((error: unknown) => {
        discovered = undefined;
        throw identityServiceAway(error);
      });
    return discovered;
  }

  /** What does not respond may have moved: the next call asks for its addresses. */
  function failed(error: unknown): Problem {
    const problem = error instanceof Problem ? error : failure(error);
    if (problem.code === 'unavailable') discovered = undefined;
    return problem;
  }

  return {
    begin: async () => authorizationOf(await configuration(), options.redirectUri),

    async finish(returnedTo, secrets) {
      const server = await configuration();
      const current = new URL(options.redirectUri);
      current.search = returnedTo.search;
      try {
        const tokens = await oidc.authorizationCodeGrant(server, current, {
          pkceCodeVerifier: secrets.codeVerifier,
          expectedState: secrets.state,
          expectedNonce: secrets.nonce,
          idTokenExpected: true,
        });
        return given(tokens);
      } catch (error) {
        throw failed(error);
      }
    },

    async renew(refreshToken) {
      const server = await configuration();
      try {
        const { refreshToken: next, ...rest } = given(await oidc.refreshTokenGrant(server, refreshToken));
        // If no new refresh token is issued, the old one stays valid (RFC 6749, 6).
        return { ...rest, refreshToken: next ?? refreshToken };
      } catch (error) {
        throw failed(error);
      }
    },

    signedOutAt: async (idToken) => endSessionAddress(await configuration(), idToken, options.signedOutUri),
    revoke: async (refreshToken) => revokeBy(await configuration(), refreshToken),
  };
}
