import type { Context } from 'koa';
import { z } from 'zod';
import type { AnyOperation } from '#domain/api/operation.ts';
import { platformId } from '#domain/api/primitives.ts';
import { type ConsoleRole, consoleRoles } from '#domain/api/internal.ts';
import { Problem } from '#domain/api/problem.ts';
import { readOnlyTools, TOOLS_PREFIX, type ToolName, toolNames } from '#domain/api/tools.ts';
import { mayAccess } from '#domain/access.ts';
import type { Secrets } from '#domain/keys/secrets.ts';
import { findToolToken } from '#db/outreach/tenants/tool-tokens.ts';
import { findUser } from '#db/outreach/tenants/users.ts';
import type { ToolTokenRow } from '#db/outreach/models/tenants.ts';
import type { Database } from '#db/database.ts';
import { bearer } from '#api/http/service-auth.ts';
import { type Caller, type FindStanding, seenBy } from '#api/backend/auth.ts';
import type { Standing } from '#db/outreach/rights/rights.ts';
import type { RefusalTrail } from '#api/backend/refusals.ts';
import { createSignedTokens, ExpiredToken } from '#api/backend/signed-tokens.ts';

/** Who calls tools, by a token that names some of them. */
export interface ToolActor extends Caller {
  tools: readonly ToolName[];
}

/** Claims of our tokens. The actor is stored with the token's id. */
interface ToolGrant {
  tenantId: string;
  tokenId: string;
  tools: readonly ToolName[];
}

export interface ToolTokens {
  issue(grant: ToolGrant, ttlSeconds: number): Promise<{ token: string; expiresAt: Date }>;
  /** @throws Problem `unauthorized` if the token is not ours or was altered; how it is refused if it has expired. */
  read(token: string): Promise<{ grant: ToolGrant; expired: Problem | null }>;
}

const AUDIENCE = 'outreach-tools';

const claims = z.object({ tenantId: platformId, tools: z.array(z.enum(toolNames)), jti: z.string() });

/** A person's token cannot call tools, and a tool's token cannot do anything else. */
export function createToolTokens(secrets: Secrets, now: () => Date): ToolTokens {
  const purpose = 'outreach tool token v1';
  const tokens = createSignedTokens({ secrets, purpose, audience: AUDIENCE, claims, now });
  const grantOf = ({ jti: tokenId, ...grant }: z.output<typeof claims>): ToolGrant => ({ ...grant, tokenId });
  return {
    issue: ({ tenantId, tools, tokenId }, ttlSeconds) =>
      tokens.issue({ tenantId, tools: [...tools], jti: tokenId }, ttlSeconds),
    async read(token) {
      try {
        return { grant: grantOf(await tokens.verify(token)), expired: null };
      } catch (error) {
        if (!(error instanceof ExpiredToken)) throw error;
        return { grant: grantOf(error.claims), expired: error };
      }
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

export const isTool = (name: string | undefined): name is ToolName =>
  (toolNames as readonly (string | undefined)[]).includes(name);

/** Why an authentic token was refused. */
type Refused = 'expired' | 'revoked' | 'tool' | 'role';

interface ToolCall {
  grant: ToolGrant;
  /** Null if it expired and was forgotten. */
  stored: ToolTokenRow | null;
  /** Null if the tenant is not installed. */
  standing: Standing | null;
  /** Null if none is needed. */
  tool: ToolName | null;
}

/** @throws Problem `unauthorized` or `forbidden` */
async function requireCall(
  database: Database,
  { grant: { tenantId, tools }, stored, standing, tool }: ToolCall,
  refused: (why: Refused, problem: Problem) => Problem,
): Promise<ToolActor> {
  if (!stored || stored.revokedAt !== null)
    throw refused('revoked', new Problem('unauthorized', 'The token was revoked'));
  if (!standing) throw new Problem('forbidden', 'The tenant has no active integration');
  if (tool !== null && !tools.includes(tool))
    throw refused('tool', new Problem('forbidden', `The token does not include the tool ${tool}`));
  const { actor } = stored;
  try {
    const role = await requireTools(database, { tenantId, actor }, tool === null ? [] : [tool]);
    return { tenantId, userId: actor, role, serviceNumberIds: seenBy(role, standing), tools };
  } catch (error) {
    throw error instanceof Problem ? refused('role', error) : error;
  }
}

/** Who is refused if the token that was issued for somebody is forgotten. */
const NOBODY_KNOWN = serviceActor('tool-api');

interface ToolAuthentication {
  findStanding: FindStanding;
  refusals: Pick<RefusalTrail, 'note'>;
}

/**
 * Requires a valid token that was not revoked, a tenant that is still installed, a tool that the token includes, and a
 * person who may still call it. What an authentic token is refused is in the audit log of a tenant that is installed.
 */
export function authenticateTool(database: Database, tokens: ToolTokens, deps: ToolAuthentication) {
  return async (ctx: Context, operation?: AnyOperation): Promise<ToolActor> => {
    const given = await tokens.read(bearer(ctx));
    const { tenantId, tokenId } = given.grant;
    const stored = await findToolToken(database, tenantId, tokenId);
    const standing = await deps.findStanding({ tenantId, actor: stored?.actor ?? NOBODY_KNOWN });
    const refused = (why: Refused, problem: Problem): Problem => {
      const who = { tenantId, userId: stored?.actor ?? NOBODY_KNOWN };
      const called = `${ctx.method} ${TOOLS_PREFIX}${operation?.path ?? '/*'}`;
      if (standing) deps.refusals.note(who, { operation: called, more: { tokenId, why } });
      return problem;
    };
    if (given.expired) throw refused('expired', given.expired);
    const name = operation?.path.slice(1);
    return await requireCall(
      database,
      { grant: given.grant, stored, standing, tool: isTool(name) ? name : null },
      refused,
    );
  };
}
