import { internalOperations } from '#domain/api/internal.ts';
import { isKeyActor } from '#domain/keys/actor.ts';
import { Problem } from '#domain/api/problem.ts';
import { findServiceNumbers, knownServiceNumbers, storeServiceNumbers } from '#db/outreach/rights/rights.ts';
import { isInstalledAs } from '#db/outreach/tenants/integrations.ts';
import { recordSignIn } from '#db/outreach/tenants/users.ts';
import type { Tokens } from '#api/backend/auth.ts';
import type { BackendDeps, ServeService } from '#api/backend/deps.ts';

/** Lets the BFF exchange a person it has verified for one of our tokens, and tell who else has signed in. */
export function tokenRoutes(serve: ServeService, { database, now }: BackendDeps, tokens: Tokens): void {
  async function requireInstalled(tenantId: string, externalTenantId: string): Promise<void> {
    if (!(await isInstalledAs(database, tenantId, externalTenantId)))
      throw new Problem('forbidden', 'The tenant has no active integration');
  }

  serve(internalOperations.recordSignIn, {
    handle: async ({ body }) => {
      const { platformTenantId: tenantId, externalTenantId, userId, name, roles } = body;
      await requireInstalled(tenantId, externalTenantId);
      await recordSignIn(database, tenantId, { userId, name, roles }, now());
      return undefined;
    },
  });

  serve(internalOperations.findUnknownServiceNumbers, {
    handle: async ({ body: { platformTenantId, serviceNumberIds } }) => {
      const known = await knownServiceNumbers(database, platformTenantId, serviceNumberIds);
      return { unknown: serviceNumberIds.filter((id) => !known.has(id)) };
    },
  });

  serve(internalOperations.readServiceNumbers, {
    handle: async ({ body: { platformTenantId, userId } }) => {
      const found = await findServiceNumbers(database, platformTenantId, userId);
      return { serviceNumberIds: found && [...found] };
    },
  });

  serve(internalOperations.issueToken, {
    handle: async ({ body }) => {
      const { platformTenantId: tenantId, externalTenantId, userId, name, role, roles = [] } = body;
      await requireInstalled(tenantId, externalTenantId);
      // API keys do not sign in. Their lists are the BFF's, and never change.
      if (isKeyActor(userId)) {
        if (body.serviceNumberIds) await storeServiceNumbers(database, tenantId, userId, body.serviceNumberIds);
      } else await recordSignIn(database, tenantId, { userId, name, roles: [role, ...roles] }, now());
      const { token, expiresAt } = await tokens.issue({ tenantId, userId, role });
      return { token, expiresAt: expiresAt.toISOString() };
    },
  });
}
