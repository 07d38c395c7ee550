import { createTokenReader, platformTokensBy, type VerifyPlatformToken } from '#api/http/platform-token.ts';
import { createLogoutTokenVerifier, type VerifyLogoutToken } from './sign-out/logout-token.ts';
import { createOidcClient, type OidcClient } from './oidc.ts';

export interface IdentityService {
  verifyToken: VerifyPlatformToken;
  verifyLogoutToken: VerifyLogoutToken;
  oidc: OidcClient;
}

/** The identity service as the BFF uses it, at the addresses of ours that have to be registered there. */
export function createIdentityService(options: {
  issuer: string;
  clientId: string;
  clientSecret: string;
  publicUrl: string;
}): IdentityService {
  const { issuer, clientId, publicUrl } = options;
  const read = createTokenReader({ issuer, audience: clientId });
  return {
    verifyToken: platformTokensBy(read),
    verifyLogoutToken: createLogoutTokenVerifier(read),
    oidc: createOidcClient({
      ...options,
      redirectUri: `${publicUrl}/api/v1/auth/callback`,
      signedOutUri: `${publicUrl}/app`,
    }),
  };
}
