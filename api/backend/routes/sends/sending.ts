import { endSourcesIfCancelled } from '#activities/outreach/entry-sources/end.ts';
import { wakeEvaluators } from '#activities/outreach/sends/drive.ts';
import { batchOperations } from '#domain/api/batches.ts';
import { campaignOperations } from '#domain/api/campaigns.ts';
import { closeCampaign, closeCampaigns } from '#commands/outreach/sends/close-campaign.ts';
import { cancelCampaign } from '#commands/outreach/sends/cancel-campaign.ts';
import { pauseCampaign } from '#commands/outreach/sends/pause-campaign.ts';
import { resumeCampaign } from '#commands/outreach/sends/resume-campaign.ts';
import { authorOf, type BackendDeps, type ServeActor } from '#api/backend/deps.ts';
import { approvalRoutes } from '../approvals/route.ts';
import { type CampaignLoader, refOf } from '../campaigns/campaign.ts';
import { presentCampaign } from '../campaigns/present.ts';
import { ifMatch } from '#api/backend/if-match.ts';
import { stepRoutes } from '../steps/route.ts';
import { variantRoutes } from '../variants/route.ts';
import { drive, driveCampaign, evaluationOf, sendDraft } from './commands.ts';
import { retryFailedSubTasks } from './retrying.ts';

/** Starts, stops and ends a send. */
export function sendingRoutes(serve: ServeActor, deps: BackendDeps, load: CampaignLoader): void {
  const { database, launcher, now } = deps;

  serve(campaignOperations.sendCampaign, {
    load,
    handle: async ({ actor, params, headers, body }) => {
      const campaign = await sendDraft(deps, actor, params.id, {
        idempotencyKey: headers['idempotency-key'] ?? null,
        expectedReachableCount: body?.expectedReachableCount ?? null,
        checkRevision: ifMatch(headers['if-match']),
      });
      return presentCampaign(campaign);
    },
  });

  serve(campaignOperations.retryFailed, {
    load,
    handle: async ({ actor, headers, loaded }) => {
      const idempotencyKey = headers['idempotency-key'] ?? null;
      return presentCampaign(await retryFailedSubTasks(deps, actor, loaded, idempotencyKey));
    },
  });

  serve(campaignOperations.pauseCampaign, {
    load,
    handle: async ({ actor, params }) => {
      const campaign = await pauseCampaign(database, authorOf(actor), params.id, now());
      // What follows the tasks may sleep until the next sub-task is due, and would say that the campaign is being sent.
      await drive(deps, params.id, () => launcher.polling(refOf(campaign), { wake: true }));
      await drive(deps, params.id, () => wakeEvaluators(deps, evaluationOf(campaign)));
      return presentCampaign(campaign);
    },
  });

  serve(campaignOperations.resumeCampaign, {
    load,
    handle: async ({ actor, params }) => {
      const campaign = await resumeCampaign(database, authorOf(actor), params.id, now());
      await drive(deps, params.id, () => driveCampaign(deps, campaign));
      return presentCampaign(campaign);
    },
  });

  serve(campaignOperations.cancelCampaign, {
    load,
    handle: async ({ actor, params }) => {
      const campaign = await cancelCampaign(database, authorOf(actor), params.id, now());
      await drive(deps, params.id, () => launcher.polling(refOf(campaign), { wake: true }));
      await drive(deps, params.id, () => endSourcesIfCancelled(deps, refOf(campaign)));
      await drive(deps, params.id, () => wakeEvaluators(deps, evaluationOf(campaign)));
      return presentCampaign(campaign);
    },
  });

  variantRoutes(serve, deps, load);
  stepRoutes(serve, deps, load);
  approvalRoutes(serve, deps, load);
  closingRoutes(serve, deps, load);
}

function closingRoutes(serve: ServeActor, deps: BackendDeps, load: CampaignLoader): void {
  const { database, launcher, now } = deps;

  serve(campaignOperations.closeCampaign, {
    load,
    handle: async ({ actor, params }) => {
      const campaign = await closeCampaign(database, authorOf(actor), params.id, now());
      await drive(deps, params.id, () => launcher.closing(refOf(campaign), { wake: true }));
      return presentCampaign(campaign);
    },
  });

  serve(batchOperations.closeCampaigns, {
    handle: async ({ actor, body }) => {
      const { tenantId } = actor;
      const items = await closeCampaigns(database, authorOf(actor), body.campaignIds, now());
      const closed = items.filter(({ outcome }) => outcome === 'done');
      await Promise.all(
        closed.map(({ id: campaignId }) =>
          drive(deps, campaignId, () => launcher.closing({ tenantId, campaignId, status: 'closed' }, { wake: true })),
        ),
      );
      return { items };
    },
  });
}
