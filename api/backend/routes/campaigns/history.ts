import { campaignHistoryOperations } from '#domain/api/campaign-history.ts';
import { campaignSnapshotOperations } from '#domain/api/campaign-snapshots.ts';
import { readCampaignHistory } from '#db/outreach/campaigns/history.ts';
import { readPossibleActions } from '#db/outreach/campaigns/possible-actions.ts';
import type { BackendDeps, ServeActor } from '#api/backend/deps.ts';
import type { CampaignLoader } from './campaign.ts';

/** The history of a campaign, and what can be done with it now. */
export function historyRoutes(serve: ServeActor, { database, now }: BackendDeps, load: CampaignLoader): void {
  serve(campaignHistoryOperations.getCampaignHistory, {
    load,
    handle: ({ actor, params, query }) =>
      readCampaignHistory(database, { tenantId: actor.tenantId, campaignId: params.id }, query),
  });

  serve(campaignSnapshotOperations.getPossibleActions, {
    load,
    handle: ({ loaded }) => readPossibleActions(database, loaded, now()),
  });
}
