import { Problem } from '../../../domain/api/problem.ts';
import { InvalidToken, type PlatformIdentity, type VerifyPlatformToken } from '../../http/platform-token.ts';

export const unauthorized = (cause?: unknown) => new Problem('unauthorized', 'Sign in to do this', { cause });

/** @throws Problem: a token that is not good is `unauthorized`, an identity service that is away `unavailable`. */
export async function verified(verify: VerifyPlatformToken, token: string): Promise<PlatformIdentity> {
  try {
    return await verify(token);
  } catch (error) {
    if (error instanceof InvalidToken) throw unauthorized(error);
    const detail = 'The identity service cannot be reached at the moment; try again';
    throw new Problem('unavailable', detail, { retryAfterSeconds: 2, cause: error });
  }
}
