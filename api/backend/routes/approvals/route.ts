import { endSourcesIfCancelled } from '#activities/outreach/entry-sources/end.ts';
import { approvalOperations } from '#domain/api/approvals.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { approveSend } from '#commands/outreach/sends/approval/approve-send.ts';
import { rejectSend } from '#commands/outreach/sends/approval/reject-send.ts';
import { withdrawSend } from '#commands/outreach/sends/approval/withdraw-send.ts';
import { authorOf, type BackendDeps, type ServeActor } from '#api/backend/deps.ts';
import { type CampaignLoader, refOf } from '../campaigns/campaign.ts';
import { presentCampaign } from '../campaigns/present.ts';
import { drive, driveCampaign } from '../sends/commands.ts';

/** Decisions about sends to more contacts than the tenant lets one person send to. */
export function approvalRoutes(serve: ServeActor, deps: BackendDeps, load: CampaignLoader): void {
  const { database, now } = deps;
  const endIfCancelled = (campaign: CampaignRecord) =>
    drive(deps, campaign.id, () => endSourcesIfCancelled(deps, refOf(campaign)));

  serve(approvalOperations.approveSend, {
    load,
    handle: async ({ actor, params, body }) => {
      const campaign = await approveSend(database, authorOf(actor), params.id, {
        approvalId: body.approvalId,
        expectedReachableCount: body.expectedReachableCount ?? null,
        now: now(),
      });
      await drive(deps, params.id, () => driveCampaign(deps, campaign));
      return presentCampaign(campaign);
    },
  });

  serve(approvalOperations.rejectSend, {
    load,
    handle: async ({ actor, params, body }) => {
      const campaign = await rejectSend(database, authorOf(actor), params.id, { ...body, now: now() });
      await endIfCancelled(campaign);
      return presentCampaign(campaign);
    },
  });

  serve(approvalOperations.withdrawSend, {
    load,
    handle: async ({ actor, params, body }) => {
      const campaign = await withdrawSend(database, authorOf(actor), params.id, { ...body, now: now() });
      await endIfCancelled(campaign);
      return presentCampaign(campaign);
    },
  });
}
