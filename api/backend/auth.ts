import type { Context } from 'koa';
import { z } from 'zod';
import { requireAccess } from '#domain/access.ts';
import { consoleRoles, type ConsoleRole } from '#domain/api/internal.ts';
import type { AnyOperation } from '#domain/api/operation.ts';
import { platformId } from '#domain/api/primitives.ts';
import type { Secrets } from '#domain/keys/secrets.ts';
import { bearer } from '../http/service-auth.ts';
import { Problem } from '#domain/api/problem.ts';
import type { Standing } from '#db/outreach/rights/rights.ts';
import type { ServiceNumbers } from '#db/outreach/rights/viewers.ts';
import { createSignedTokens } from './signed-tokens.ts';

/** A person that the BFF vouched for. */
export interface Actor {
  tenantId: string;
  userId: string;
  role: ConsoleRole;
}

/** The same as of this very call. */
export interface Caller extends Actor {
  serviceNumberIds: ServiceNumbers;
}

export interface Tokens {
  issue(actor: Actor): Promise<{ token: string; expiresAt: Date }>;
  /** @throws Problem `unauthorized` if the token is not ours, was altered or has expired. */
  verify(token: string): Promise<Actor>;
}

const TOKEN_SECONDS = 300;

const AUDIENCE = 'outreach-backend';

const claims = z.object({ sub: platformId, tenantId: platformId, role: z.enum(consoleRoles) });

/** Tokens for calls that the BFF forwards. They are not valid anywhere else. */
export function createTokens(secrets: Secrets, now: () => Date): Tokens {
  const purpose = 'outreach backend token v1';
  const tokens = createSignedTokens({ secrets, purpose, audience: AUDIENCE, claims, now });
  return {
    issue: ({ userId, tenantId, role }) => tokens.issue({ sub: userId, tenantId, role }, TOKEN_SECONDS),
    async verify(token) {
      const { sub, tenantId, role } = await tokens.verify(token);
      return { userId: sub, tenantId, role };
    },
  };
}

/** Null if the tenant is not installed. */
export type FindStanding = (who: { tenantId: string; actor: string }) => Promise<Standing | null>;

/** What a role sees of what its list names: an administrator, who could lift any list, everything. */
export const seenBy = (role: ConsoleRole, { serviceNumberIds }: Standing): ServiceNumbers =>
  role === 'tenant_admin' ? null : serviceNumberIds;

/** For forwarded calls: requires a valid token, a tenant that is still installed, and a role with access. */
export function authenticateActor(tokens: Tokens, findStanding: FindStanding) {
  return async (ctx: Context, operation: AnyOperation): Promise<Caller> => {
    const actor = await tokens.verify(bearer(ctx));
    const standing = await findStanding({ tenantId: actor.tenantId, actor: actor.userId });
    if (!standing) throw new Problem('forbidden', 'The tenant has no active integration');
    requireAccess(actor.role, operation.access);
    return { ...actor, serviceNumberIds: seenBy(actor.role, standing) };
  };
}
