import type { Context } from 'koa';
import { z } from 'zod';
import type { AnyOperation } from '../../../../domain/api/operation.ts';
import { platformId } from '../../../../domain/api/primitives.ts';
import { type ConsoleRole, consoleRoles } from '../../../../domain/api/internal.ts';
import { Problem } from '../../../../domain/api/problem.ts';
import { readOnlyTools, type ToolName, toolNames } from '../../../../domain/api/tools.ts';
import { mayAccess } from '../../../../domain/access.ts';
import type { Secrets } from '../../../../domain/keys/secrets.ts';
import { findToolToken } from '../../../../db/outreach/tenants/tool-tokens.ts';
import { findUser } from '../../../../db/outreach/tenants/users.ts';
import type { Database } from '../../../../db/database.ts';
import { type Actor, bearer } from '../../auth.ts';
import { createSignedTokens } from '../../signed-tokens.ts';

/** Who calls tools, by a token that names some of them. */
export interface ToolActor extends Actor {
  tools: readonly ToolName[];
}

/** What a token of ours says. Who calls with it is stored with its id. */
interface ToolGrant {
  tenantId: string;
  tokenId: string;
  tools: readonly ToolName[];
}

export interface ToolTokens {
  issue(grant: ToolGrant, ttlSeconds: number): Promise<{ token: string; expiresAt: Date }>;
  /** @throws Problem `unauthorized` if the token is not ours, was altered or has expired. */
  verify(token: string): Promise<ToolGrant>;
}

const AUDIENCE = 'outreach-tools';

const claims = z.object({ tenantId: platformId, tools: z.array(z.enum(toolNames)), jti: z.string() });

/** A person's token cannot call tools, and a tool's token cannot do anything else. */
export function createToolTokens(secrets: Secrets, now: () => Date): ToolTokens {
  const purpose = 'outreach tool token v1';
  const tokens = createSignedTokens({ secrets, purpose, audience: AUDIENCE, claims, now });
  return {
    issue: ({ tenantId, tools, tokenId }, ttlSeconds) =>
      tokens.issue({ tenantId, tools: [...tools], jti: tokenId }, ttlSeconds),
    async verify(token) {
      const { jti: tokenId, ...grant } = await tokens.verify(token);
      return { ...grant, tokenId };
    },
  };
}

const SERVICE = 'service:';

/** How the audit log names a system that asks. No id of a person is taken for one. */
export const serviceActor = (name: string): string => `${SERVICE}${name}`;

const isConsoleRole = (role: string): role is ConsoleRole => (consoleRoles as readonly string[]).includes(role);

/**
 * The role by which tools are called: a system's, or that of the person who asked, as of the last sign-in.
 * @throws Problem `forbidden` if the person has none.
 */
async function roleOf(database: Database, tenantId: string, actor: string): Promise<ConsoleRole> {
  if (actor.startsWith(SERVICE)) return 'marketing_operator';
  const user = await findUser(database, tenantId, actor);
  if (!user || !isConsoleRole(user.role))
    throw new Problem('forbidden', 'The person who asked has no role in the console');
  return user.role;
}

/**
 * Requires that the actor may call all of these tools. @returns the role
 * @throws Problem `forbidden`
 */
export async function requireTools(
  database: Database,
  { tenantId, actor }: { tenantId: string; actor: string },
  tools: readonly ToolName[],
): Promise<ConsoleRole> {
  const role = await roleOf(database, tenantId, actor);
  const refused = tools.find((tool) => !mayAccess(role, readOnlyTools.includes(tool) ? 'read' : 'write'));
  if (refused !== undefined) throw new Problem('forbidden', `The role ${role} may not call the tool ${refused}`);
  return role;
}

const isTool = (name: string | undefined): name is ToolName =>
  (toolNames as readonly (string | undefined)[]).includes(name);

/**
 * Requires a valid token that was not revoked, a tenant that is still installed, a tool that the token includes, and a
 * person who may still call it.
 */
export function authenticateTool(
  database: Database,
  tokens: ToolTokens,
  isInstalled: (tenantId: string) => Promise<boolean>,
) {
  return async (ctx: Context, operation?: AnyOperation): Promise<ToolActor> => {
    const { tenantId, tokenId, tools } = await tokens.verify(bearer(ctx));
    const stored = await findToolToken(database, tenantId, tokenId);
    if (!stored) throw new Problem('unauthorized', 'The token was revoked');
    if (!(await isInstalled(tenantId))) throw new Problem('forbidden', 'The tenant has no active integration');
    const name = operation?.path.slice(1);
    const called = isTool(name) ? [name] : [];
    if (called.some((tool) => !tools.includes(tool)))
      throw new Problem('forbidden', `The token does not include the tool ${name}`);
    const role = await requireTools(database, { tenantId, actor: stored.actor }, called);
    return { tenantId, userId: stored.actor, role, tools };
  };
}
