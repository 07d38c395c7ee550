import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { IdentityKeys } from './keys.ts';

export interface TokenRequest {
  sub: string;
  name: string;
  tenantId: string;
  roles: string[];
  /** Negative for a token that has already expired. */
  expiresInSeconds?: number | undefined;
}

const DEFAULT_LIFE_SECONDS = 3600;

/** Mints platform tokens with the key that also signs ID tokens. */
export function createTokens(keys: IdentityKeys, issuer: string, audience: string) {
  return ({ sub, name, tenantId, roles, expiresInSeconds = DEFAULT_LIFE_SECONDS }: TokenRequest): Promise<string> => {
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({ name, tenantId, roles })
      .setProtectedHeader({ alg: 'RS256', kid: keys.jwk.kid, typ: 'JWT' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(sub)
      .setJti(randomUUID())
      .setIssuedAt(Math.min(now, now + expiresInSeconds))
      .setExpirationTime(now + expiresInSeconds)
      .sign(keys.privateKey);
  };
}

export type MintToken = ReturnType<typeof createTokens>;
