import { campaignOperations } from '#domain/api/campaigns.ts';
import { invalidField } from '#domain/api/problem.ts';
import { mapPage } from '#domain/cursor.ts';
import { createCampaign } from '#commands/outreach/campaigns/create-campaign.ts';
import { deleteCampaign } from '#commands/outreach/campaigns/delete-campaign.ts';
import { listCampaigns } from '#db/outreach/campaigns/campaigns.ts';
import { recentEventCodes } from '#db/outreach/campaigns/event-codes.ts';
import { updateCampaign } from '#commands/outreach/sends/editing/update-campaign.ts';
import { assertActiveServiceNumber } from '#commands/outreach/tenants/service-numbers.ts';
import { authorOf, type BackendDeps, type ServeActor } from '#api/backend/deps.ts';
import { type CampaignLoader, campaignLoader } from './campaign.ts';
import { carryOut } from './carry-out.ts';
import { createDraft } from '../sends/commands.ts';
import { copyOf } from '#domain/campaigns/copies/copy.ts';
import { assertChangeable, checkContent, rejectContent } from './content.ts';
import { dryRunRoutes } from '../sends/dry-run.ts';
import { followUpRoutes } from '../clicks/follow-ups.ts';
import { clickRoutes } from '../clicks/route.ts';
import { ifMatchRequired } from '#api/backend/if-match.ts';
import { historyRoutes } from './history.ts';
import { presentCampaign, presentListed } from './present.ts';
import { sendingRoutes } from '../sends/sending.ts';
import { snapshotRoutes } from '../sends/snapshots.ts';
import { subTaskRoutes } from '../sends/sub-tasks.ts';

/** Changes and deletes one, both of the version that the caller read. */
function changingRoutes(serve: ServeActor, deps: BackendDeps, load: CampaignLoader): void {
  const { database, now, appId } = deps;

  serve(campaignOperations.updateCampaign, {
    load,
    current: ({ loaded }) => presentCampaign(loaded),
    unchanged: ({ headers, loaded }) => {
      ifMatchRequired(headers['if-match']);
      return presentCampaign(loaded);
    },
    handle: async ({ actor, params, headers, body, loaded }) => {
      const at = now();
      const updated = await updateCampaign(database, authorOf(actor), params.id, {
        patch: body,
        now: at,
        checkRevision: ifMatchRequired(headers['if-match']),
        checkStage: (stage) => assertChangeable(stage, body),
        check: async (transaction, content, before) => {
          if (body.serviceNumberId !== undefined && body.serviceNumberId !== before.serviceNumberId)
            rejectContent([invalidField('/serviceNumberId', 'unchangeable')]);
          await checkContent(transaction, content, before, { ...actor, appId, now: at });
        },
      });
      const campaign = await carryOut(deps, loaded, updated);
      return presentCampaign(campaign);
    },
  });

  serve(campaignOperations.deleteCampaign, {
    load,
    handle: async ({ actor, params, headers }) => {
      const checkRevision = ifMatchRequired(headers['if-match']);
      await deleteCampaign(database, authorOf(actor), params.id, { checkRevision, now: now() });
      return undefined;
    },
  });
}

export function campaignRoutes(serve: ServeActor, deps: BackendDeps): void {
  const { database, now } = deps;
  const load = campaignLoader(deps);

  serve(campaignOperations.listCampaigns, {
    handle: async ({ actor, query }) => mapPage(await listCampaigns(database, actor.tenantId, query), presentListed),
  });

  serve(campaignOperations.listEventCodes, {
    handle: async ({ actor, query }) => ({ items: await recentEventCodes(database, actor.tenantId, query) }),
  });

  serve(campaignOperations.createCampaign, {
    handle: async ({ actor, body }) => presentCampaign(await createDraft(deps, actor, body)),
  });

  serve(campaignOperations.getCampaign, { load, handle: async ({ loaded }) => presentCampaign(loaded) });

  changingRoutes(serve, deps, load);

  serve(campaignOperations.duplicateCampaign, {
    load,
    handle: async ({ actor, loaded }) => {
      const at = now();
      const copy = await createCampaign(database, authorOf(actor), copyOf(loaded, at), {
        now: at,
        copyOf: loaded.id,
        check: (transaction, { serviceNumberId }) =>
          assertActiveServiceNumber(transaction, actor.tenantId, serviceNumberId),
      });
      return presentCampaign(copy);
    },
  });

  dryRunRoutes(serve, deps, load);
  sendingRoutes(serve, deps, load);
  subTaskRoutes(serve, deps, load);
  snapshotRoutes(serve, deps, load);
  clickRoutes(serve, deps, load);
  followUpRoutes(serve, deps, load);
  historyRoutes(serve, deps, load);
}
