import { internalOperations } from '../../../../domain/api/internal.ts';
import { Problem } from '../../../../domain/api/problem.ts';
import { isInstalledAs } from '../../../../db/outreach/tenants/integrations.ts';
import { recordSignIn } from '../../../../db/outreach/tenants/users.ts';
import type { Tokens } from '../../auth.ts';
import type { BackendDeps, ServeService } from '../../deps.ts';

/** Lets the BFF exchange a person it has verified for one of our tokens. */
export function tokenRoutes(serve: ServeService, { database, now }: BackendDeps, tokens: Tokens): void {
  serve(internalOperations.issueToken, {
    handle: async ({ body }) => {
      const { platformTenantId: tenantId, externalTenantId, userId, name, role } = body;
      if (!(await isInstalledAs(database, tenantId, externalTenantId)))
        throw new Problem('forbidden', 'The tenant has no active integration');
      await recordSignIn(database, tenantId, { userId, name, role }, now());
      const { token, expiresAt } = await tokens.issue({ tenantId, userId, role });
      return { token, expiresAt: expiresAt.toISOString() };
    },
  });
}
