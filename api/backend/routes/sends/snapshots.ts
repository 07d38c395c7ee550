import { campaignHistoryOperations } from '../../../../domain/api/campaign-history.ts';
import { campaignSnapshotOperations } from '../../../../domain/api/campaign-snapshots.ts';
import { readCampaignHistory } from '../../../../db/outreach/campaigns/history.ts';
import { findRecipient, listDispatches } from '../../../../db/outreach/sends/snapshots.ts';
import { readPossibleActions } from '../../../../db/outreach/campaigns/possible-actions.ts';
import type { BackendDeps, ServeActor } from '../../deps.ts';
import type { CampaignLoader } from '../campaigns/campaign.ts';

/** What was frozen when a campaign was sent, and what happened to it since. */
export function snapshotRoutes(serve: ServeActor, { database, now }: BackendDeps, load: CampaignLoader): void {
  serve(campaignSnapshotOperations.getPossibleActions, {
    load,
    handle: ({ loaded }) => readPossibleActions(database, loaded, now()),
  });

  serve(campaignSnapshotOperations.listDispatches, {
    load,
    handle: ({ actor, params, query }) =>
      listDispatches(database, { tenantId: actor.tenantId, campaignId: params.id }, query),
  });

  serve(campaignSnapshotOperations.getRecipient, {
    load,
    handle: ({ actor, params }) =>
      findRecipient(database, { tenantId: actor.tenantId, campaignId: params.id }, params.contactId),
  });

  serve(campaignHistoryOperations.getCampaignHistory, {
    load,
    handle: ({ actor, params, query }) =>
      readCampaignHistory(database, { tenantId: actor.tenantId, campaignId: params.id }, query),
  });
}
