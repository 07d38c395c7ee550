import { overviewOperations } from '../../../../domain/api/overview.ts';
import { periodOf } from '../../../../domain/period.ts';
import { readOverview } from '../../../../db/outreach/overview/overview.ts';
import type { BackendDeps, ServeActor } from '../../deps.ts';

/** Is everything all right, and what worked? */
export function overviewRoutes(serve: ServeActor, { database, now }: BackendDeps): void {
  serve(overviewOperations.getOverview, {
    handle: async ({ actor, query }) => {
      const at = now();
      const scope = { tenantId: actor.tenantId, serviceNumberId: query.serviceNumberId };
      return await readOverview(database, scope, { ...periodOf(query, at), timeZone: query.timeZone }, at);
    },
  });
}
