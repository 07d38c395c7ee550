import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { LoggedOut } from '#commands/bff/end-logged-out.ts';
import { InvalidToken, type ReadToken } from '#api/http/platform-token.ts';

/** @throws InvalidToken; any other error if the keys cannot be fetched. */
export type VerifyLogoutToken = (token: string) => Promise<LoggedOut>;

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** Clocks may differ, and the identity service may try again. */
const TOLERANCE_SECONDS = 30;
const OLDEST_SECONDS = 600;

const claimsSchema = z
  .object({
    sub: z.string().min(1).nullable().default(null),
    sid: z.string().min(1).nullable().default(null),
    jti: z.string().min(1),
    exp: z.number(),
    events: z.looseObject({ [EVENT]: z.looseObject({}) }),
    // An ID token has one, and must never be taken for a logout token.
    nonce: z.undefined().optional(),
  })
  .refine(({ sub, sid }) => sub !== null || sid !== null);

/** Verifies logout tokens (OpenID Connect Back-Channel Logout 1.0, 2.6) of the identity service whose tokens are read. */
export function createLogoutTokenVerifier(read: ReadToken): VerifyLogoutToken {
  return async (token) => {
    const payload = await read(token, {
      requiredClaims: ['iat', 'exp', 'jti'],
      clockTolerance: TOLERANCE_SECONDS,
      maxTokenAge: OLDEST_SECONDS,
      mayBe: (typ) => typ === 'jwt' || typ === 'logout+jwt',
    });
    const claims = claimsSchema.safeParse(payload);
    if (!claims.success) throw new InvalidToken('the token is no logout token', { cause: claims.error });
    const { sub, sid, jti, exp } = claims.data;
    return {
      userId: sub,
      sid,
      tokenHash: createHash('sha256').update(jti).digest(),
      keptUntil: new Date((exp + TOLERANCE_SECONDS) * 1000),
    };
  };
}
