import { createHash, hkdfSync, timingSafeEqual } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { Context } from 'koa';
import { z } from 'zod';
import { consoleRoles, type ConsoleRole } from '../../domain/api/internal.ts';
import type { AnyOperation } from '../../domain/api/operation.ts';
import { platformId } from '../../domain/api/primitives.ts';
import { Problem } from '../../domain/api/problem.ts';

/** Whoever the BFF vouched for. */
export interface Actor {
  tenantId: string;
  userId: string;
  role: ConsoleRole;
}

export interface Tokens {
  issue(actor: Actor): Promise<{ token: string; expiresAt: Date }>;
  /** @throws Problem `unauthorized` for a token that is not ours, altered or expired. */
  verify(token: string): Promise<Actor>;
}

export const TOKEN_SECONDS = 300;

const AUDIENCE = 'outreach-backend';

const claims = z.object({ sub: platformId, tenantId: platformId, role: z.enum(consoleRoles) });

/** HS256 tokens under a key of their own, so that no token can be made from or mistaken for the secret itself. */
export function createTokens(secret: string, now: () => Date): Tokens {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'outreach backend token v1', 32));
  return {
    async issue({ tenantId, userId, role }) {
      const issuedAt = Math.floor(now().getTime() / 1000);
      const expiresAt = issuedAt + TOKEN_SECONDS;
      const token = await new SignJWT({ tenantId, role })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(userId)
        .setAudience(AUDIENCE)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(key);
      return { token, expiresAt: new Date(expiresAt * 1000) };
    },
    async verify(token) {
      try {
        const options = { audience: AUDIENCE, algorithms: ['HS256'], currentDate: now(), requiredClaims: ['exp'] };
        const { payload } = await jwtVerify(token, key, options);
        const { sub, tenantId, role } = claims.parse(payload);
        return { userId: sub, tenantId, role };
      } catch (error) {
        throw new Problem('unauthorized', 'The token is missing, expired or not ours', { cause: error });
      }
    },
  };
}

/** @throws Problem `unauthorized` where the call carries none. */
export function bearer(ctx: Context): string {
  const match = /^Bearer ([^\s]{1,4096})$/.exec(ctx.get('Authorization'));
  if (!match?.[1]) throw new Problem('unauthorized', 'A bearer token is required');
  return match[1];
}

const allowed: Record<'read' | 'write' | 'admin', readonly ConsoleRole[]> = {
  read: consoleRoles,
  write: ['tenant_admin', 'marketing_operator'],
  admin: ['tenant_admin'],
};

/** For forwarded calls: the token, a tenant that is still installed, and a role that may. */
export function authenticateActor(tokens: Tokens, isInstalled: (tenantId: string) => Promise<boolean>) {
  return async (ctx: Context, operation: AnyOperation): Promise<Actor> => {
    const actor = await tokens.verify(bearer(ctx));
    if (!(await isInstalled(actor.tenantId))) throw new Problem('forbidden', 'The tenant has no active integration');
    const { access } = operation;
    if (access === 'service') throw new Problem('forbidden', 'Only for calls between services');
    if (access !== 'public' && !allowed[access].includes(actor.role))
      throw new Problem('forbidden', `The role ${actor.role} may not do this`);
    return actor;
  };
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** For calls between services: the shared secret, compared in constant time. */
export function authenticateService(secret: string) {
  const expected = digest(secret);
  return async (ctx: Context): Promise<null> => {
    if (!timingSafeEqual(digest(bearer(ctx)), expected))
      throw new Problem('unauthorized', 'The bearer is not the services’ secret');
    return null;
  };
}
