import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import { Problem } from '#domain/api/problem.ts';
import type { Secrets } from '#domain/keys/secrets.ts';

/** @throws Problem `unauthorized` if the call has no bearer token. */
export function bearer(ctx: Context): string {
  const match = /^Bearer ([^\s]{1,4096})$/.exec(ctx.get('Authorization'));
  if (!match?.[1]) throw new Problem('unauthorized', 'A bearer token is required');
  return match[1];
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** For calls between services: requires the shared secret, compared in constant time. */
export function authenticateService(secrets: Secrets) {
  const expected = secrets.map(digest);
  return async (ctx: Context): Promise<null> => {
    const given = digest(bearer(ctx));
    if (!expected.some((one) => timingSafeEqual(given, one)))
      throw new Problem('unauthorized', 'The bearer token is not the services’ shared secret');
    return null;
  };
}
