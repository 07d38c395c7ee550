import { hkdfSync } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, type JWTVerifyOptions, SignJWT } from 'jose';
import type { z } from 'zod';
import { Problem } from '#domain/api/problem.ts';
import type { Secrets } from '#domain/keys/secrets.ts';

const refusal = 'The token is missing, expired or not ours';

export interface SignedTokens<Claims> {
  issue(claims: Claims, ttlSeconds: number): Promise<{ token: string; expiresAt: Date }>;
  /** @throws Problem `unauthorized` if the token is not ours, was altered or has expired; ExpiredToken for the last. */
  verify(token: string): Promise<Claims>;
}

/** A token that is ours and was not altered, but is too old. */
export class ExpiredToken<Claims> extends Problem {
  readonly claims: Claims;

  constructor(claims: Claims, cause: errors.JWTExpired) {
    super('unauthorized', refusal, { cause });
    this.claims = claims;
  }
}

export interface SignedTokensOptions<Claims> {
  secrets: Secrets;
  /** Names the key derived from each secret: tokens for one purpose are invalid for any other. */
  purpose: string;
  audience: string;
  claims: z.ZodType<Claims>;
  now: () => Date;
}

/** HS256 tokens under a derived key, so that no token can be made from, or mistaken for, the secret itself. */
export function createSignedTokens<Claims extends Record<string, unknown>>({
  secrets,
  purpose,
  audience,
  claims,
  now,
}: SignedTokensOptions<Claims>): SignedTokens<Claims> {
  const keyOf = (secret: string) => new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32));
  const [key, ...others] = [keyOf(secrets[0]), ...secrets.slice(1).map(keyOf)];
  /** The last failure is that of a token that no secret signed. */
  async function payloadOf(token: string, options: JWTVerifyOptions): Promise<JWTPayload> {
    let failure: unknown;
    for (const one of [key, ...others]) {
      try {
        return (await jwtVerify(token, one, options)).payload;
      } catch (error) {
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
        failure = error;
      }
    }
    throw failure;
  }
  return {
    async issue(given, ttlSeconds) {
      const issuedAt = Math.floor(now().getTime() / 1000);
      const expiresAt = issuedAt + ttlSeconds;
      const token = await new SignJWT(given)
        .setProtectedHeader({ alg: 'HS256' })
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(key);
      return { token, expiresAt: new Date(expiresAt * 1000) };
    },
    async verify(token) {
      try {
        const options = { audience, algorithms: ['HS256'], currentDate: now(), requiredClaims: ['exp'] };
        return claims.parse(await payloadOf(token, options));
      } catch (error) {
        if (error instanceof errors.JWTExpired) {
          const said = claims.safeParse(error.payload);
          if (said.success) throw new ExpiredToken(said.data, error);
        }
        throw new Problem('unauthorized', refusal, { cause: error });
      }
    },
  };
}
