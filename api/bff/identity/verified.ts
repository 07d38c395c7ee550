import { Problem } from '#domain/api/problem.ts';
import { InvalidToken, type PlatformIdentity, type VerifyPlatformToken } from '#api/http/platform-token.ts';

export const unauthorized = (cause?: unknown) => new Problem('unauthorized', 'Sign in to do this', { cause });

export const identityServiceAway = (cause: unknown) =>
  new Problem('unavailable', 'The identity service cannot be reached at the moment; try again', {
    retryAfterSeconds: 2,
    cause,
  });

/** @throws Problem `unauthorized` for an invalid token, `unavailable` if the identity service cannot be reached. */
export async function verified(verify: VerifyPlatformToken, token: string): Promise<PlatformIdentity> {
  try {
    return await verify(token);
  } catch (error) {
    if (error instanceof InvalidToken) throw unauthorized(error);
    throw identityServiceAway(error);
  }
}
