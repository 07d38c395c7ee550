import { overviewOperations } from '#domain/api/overview.ts';
import { standingOperations } from '#domain/api/standing.ts';
import { periodOf } from '#domain/period.ts';
import { readOverview } from '#db/outreach/overview/overview.ts';
import { type StandingCampaign, standingCampaigns } from '#db/outreach/overview/standing.ts';
import type { BackendDeps, ServeActor } from '#api/backend/deps.ts';

const presentStanding = ({ since, expectedMs, reasonSince, until, ...standing }: StandingCampaign) => ({
  ...standing,
  since: since.toISOString(),
  expectedSeconds: expectedMs / 1000,
  reasonSince: reasonSince?.toISOString() ?? null,
  until: until?.toISOString() ?? null,
});

/** Health, results and stalled work. */
export function overviewRoutes(serve: ServeActor, { database, now }: BackendDeps): void {
  serve(overviewOperations.getOverview, {
    handle: async ({ actor, query }) => {
      const at = now();
      const { tenantId, serviceNumberIds: seen } = actor;
      const scope = { tenantId, serviceNumberId: query.serviceNumberId, seen };
      return await readOverview(database, scope, { ...periodOf(query, at), timeZone: query.timeZone }, at);
    },
  });

  serve(standingOperations.listStandingCampaigns, {
    handle: async ({ actor, query }) => {
      const found = await standingCampaigns(database, { tenantId: actor.tenantId, ...query }, now());
      return { items: found.map(presentStanding) };
    },
  });
}
