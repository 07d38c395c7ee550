import { uuidv7 } from 'uuidv7';
import { internalOperations } from '#domain/api/internal.ts';
import { Problem } from '#domain/api/problem.ts';
import { recordAudit } from '#db/outreach/audit/record.ts';
import { findActiveIntegration } from '#db/outreach/tenants/integrations.ts';
import { revokeToolToken, storeToolToken } from '#db/outreach/tenants/tool-tokens.ts';
import { authorOf, type BackendDeps, type ServeService } from '#api/backend/deps.ts';
import { switchedOff } from './route.ts';
import { requireTools, serviceActor, type ToolTokens } from './token.ts';

/** The audit log's author: who issues tokens has the services' shared secret. */
const INTERNAL = 'service:internal-api';

/** Gives services tokens for one tenant's tools, and takes them back; none while the Tool API is disabled. */
export function serviceTokenRoutes(
  serve: ServeService,
  { database, toolApiEnabled, now }: BackendDeps,
  tokens: ToolTokens,
): void {
  const load = async (): Promise<void> => {
    if (!toolApiEnabled) throw switchedOff();
  };

  serve(internalOperations.issueServiceToken, {
    load,
    handle: async ({ body: { platformTenantId: tenantId, tools, actor: asked, ttlSeconds } }) => {
      if (!(await findActiveIntegration(database, tenantId)))
        throw new Problem('forbidden', 'The tenant has no active integration');
      const actor = asked.type === 'user' ? asked.userId : serviceActor(asked.name);
      await requireTools(database, { tenantId, actor }, tools);
      const tokenId = uuidv7();
      const { token, expiresAt } = await tokens.issue({ tenantId, tokenId, tools }, ttlSeconds);
      await database.transaction(async (transaction) => {
        await storeToolToken(transaction, tenantId, { tokenId, actor, tools, expiresAt }, now());
        await recordAudit(transaction, authorOf({ tenantId, userId: INTERNAL }), {
          action: 'service_token.issue',
          objectType: 'service_token',
          objectId: tokenId,
          after: { tools, actor, expiresAt: expiresAt.toISOString() },
        });
      });
      return { tokenId, token, expiresAt: expiresAt.toISOString() };
    },
  });

  serve(internalOperations.revokeServiceToken, {
    load,
    handle: async ({ params: { tokenId }, body: { platformTenantId: tenantId } }) => {
      await database.transaction(async (transaction) => {
        const revoked = await revokeToolToken(transaction, tenantId, tokenId, now());
        if (revoked === 'unknown') throw new Problem('not_found', 'There is no token with this id');
        if (revoked === 'before') return;
        await recordAudit(transaction, authorOf({ tenantId, userId: INTERNAL }), {
          action: 'service_token.revoke',
          objectType: 'service_token',
          objectId: tokenId,
        });
      });
      return undefined;
    },
  });
}
