import * as oidc from 'openid-client';
import { Problem } from '../../../domain/api/problem.ts';

/** What one sign-in must remember until the browser comes back. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface OidcClient {
  /** Where to send the browser, and what to keep for its return. */
  begin(): Promise<{ location: string; secrets: SignInSecrets }>;
  /**
   * Exchanges the code of the returned browser; gives the ID token, whose signature is still to be checked.
   * @throws Problem `unauthorized` where the identity service refused, `unavailable` where it cannot be reached.
   */
  finish(returnedTo: URL, secrets: SignInSecrets): Promise<GivenTokens>;
  /**
   * Asks for a new ID token. The old refresh token may be worth nothing afterwards.
   * @throws Problem `unauthorized` where the identity service refused, `unavailable` where it cannot be reached.
   */
  renew(refreshToken: string): Promise<GivenTokens>;
}

/** ID token and, from identity services that give one, a refresh token. */
export interface GivenTokens {
  idToken: string;
  refreshToken: string | null;
}

const TIMEOUT_SECONDS = 5;

/** The way the identity service says it takes, basic where it says nothing (OpenID Connect Discovery). */
function clientSecret(secret: string): oidc.ClientAuth {
  const basic = oidc.ClientSecretBasic(secret);
  const post = oidc.ClientSecretPost(secret);
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported;
    const useBasic = !methods || methods.includes('client_secret_basic');
    (useBasic ? basic : post)(server, client, body, headers);
  };
}

function away(error: unknown): Problem {
  return new Problem('unavailable', 'The identity service cannot be reached at the moment; try again', {
    retryAfterSeconds: 2,
    cause: error,
  });
}

const awayCodes = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

/** A broken connection or a broken answer is the identity service's absence; the rest refuses this sign-in. */
function failure(error: unknown): Problem {
  const code = String((error as { code?: unknown } | null)?.code);
  if (error instanceof TypeError || awayCodes.has(code)) return away(error);
  return new Problem('unauthorized', 'The sign-in was refused; start it again', { cause: error });
}

/** Where the identity service offers it, sessions outlive their first ID token. */
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
  if (!tokens.id_token) throw new Problem('unauthorized', 'The identity service gave no ID token');
  return { idToken: tokens.id_token, refreshToken: tokens.refresh_token ?? null };
}

/**
 * Authorization code with PKCE (S256) at `issuer`. Its discovery is read at the first sign-in and again until it succeeds,
 * so that the BFF may start first.
 */
export function createOidcClient(options: {
  issuer: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
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
        throw away(error);
      });
    return discovered;
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
        throw error instanceof Problem ? error : failure(error);
      }
    },

    async renew(refreshToken) {
      const server = await configuration();
      try {
        const { refreshToken: next, ...rest } = given(await oidc.refreshTokenGrant(server, refreshToken));
        // Without a new one the old one stays good (RFC 6749, 6).
        return { ...rest, refreshToken: next ?? refreshToken };
      } catch (error) {
        throw error instanceof Problem ? error : failure(error);
      }
    },
  };
}
