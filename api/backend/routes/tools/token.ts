import type { Context } from 'koa';
import { z } from 'zod';
import type { AnyOperation } from '../../../../domain/api/operation.ts';
import { platformId } from '../../../../domain/api/primitives.ts';
import { Problem } from '../../../../domain/api/problem.ts';
import { type ToolName, toolNames } from '../../../../domain/api/tools.ts';
import type { Secrets } from '../../../../domain/keys/secrets.ts';
import { type Actor, bearer } from '../../auth.ts';
import { createSignedTokens } from '../../signed-tokens.ts';

/** The audit log's author for what a tool did. */
const TOOL_ACTOR = 'service:tool-api';

/** A tenant's service account with the tools it may call. */
export interface ToolActor extends Actor {
  tools: readonly ToolName[];
}

export interface ToolTokens {
  issue(
    grant: { tenantId: string; tools: readonly ToolName[] },
    ttlSeconds: number,
  ): Promise<{ token: string; expiresAt: Date }>;
  /** @throws Problem `unauthorized` if the token is not ours, was altered or has expired. */
  verify(token: string): Promise<ToolActor>;
}

const AUDIENCE = 'outreach-tools';

const claims = z.object({ tenantId: platformId, tools: z.array(z.enum(toolNames)) });

/** A person's token cannot call tools, and a tool's token cannot do anything else. */
export function createToolTokens(secrets: Secrets, now: () => Date): ToolTokens {
  const purpose = 'outreach tool token v1';
  const tokens = createSignedTokens({ secrets, purpose, audience: AUDIENCE, claims, now });
  return {
    issue: ({ tenantId, tools }, ttlSeconds) => tokens.issue({ tenantId, tools: [...tools] }, ttlSeconds),
    verify: async (token) => ({ ...(await tokens.verify(token)), userId: TOOL_ACTOR, role: 'marketing_operator' }),
  };
}

/** Requires a valid token, a tenant that is still installed, and a tool that the token includes. */
export function authenticateTool(tokens: ToolTokens, isInstalled: (tenantId: string) => Promise<boolean>) {
  return async (ctx: Context, operation?: AnyOperation): Promise<ToolActor> => {
    const actor = await tokens.verify(bearer(ctx));
    if (!(await isInstalled(actor.tenantId))) throw new Problem('forbidden', 'The tenant has no active integration');
    const name = operation?.path.slice(1);
    const granted: readonly string[] = actor.tools;
    if (name !== undefined && name !== 'manifest' && !granted.includes(name))
      throw new Problem('forbidden', `The token does not include the tool ${name}`);
    return actor;
  };
}
