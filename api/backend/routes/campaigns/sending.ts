import { campaignOperations } from '../../../../domain/api/campaigns.ts';
import { cancelCampaign, openSends, pauseCampaign, resumeCampaign } from '../../../../db/outreach/campaign-states.ts';
import type { CampaignRecord } from '../../../../db/outreach/campaigns.ts';
import { sendCampaign } from '../../../../db/outreach/dispatches.ts';
import { currentRequestId } from '../../../http/request-id.ts';
import { authorOf, type BackendDeps, type ServeActor } from '../../deps.ts';
import { answered, type CampaignLoader } from './campaign.ts';

/**
 * Asks a workflow to act on rows that are stored already. Where Temporal cannot be reached the answer stays: the sweep
 * starts what is missing.
 */
async function drive({ logger }: BackendDeps, campaignId: string, start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    logger.warn(
      { err: error, campaignId, requestId: currentRequestId() },
      'a workflow could not be started; the sweep will',
    );
  }
}

async function driveSends(deps: BackendDeps, { tenantId, id }: CampaignRecord): Promise<void> {
  for (const send of await openSends(deps.db, tenantId, id)) {
    await drive(deps, id, () => deps.flows.startDispatch({ tenantId, campaignId: id, ...send }));
  }
}

/** What starts, stops and ends a send. */
export function sendingRoutes(serve: ServeActor, deps: BackendDeps, load: CampaignLoader): void {
  const { db, flows, now } = deps;

  serve(campaignOperations.sendCampaign, {
    load,
    handle: async ({ ctx, actor, params, headers, body }) => {
      const { campaign, dispatch } = await sendCampaign(db, authorOf(actor), params.id, {
        idempotencyKey: headers['idempotency-key'] ?? null,
        expectedReachableCount: body?.expectedReachableCount ?? null,
        now: now(),
      });
      if (dispatch) {
        const send = { tenantId: actor.tenantId, campaignId: params.id, ...dispatch };
        await drive(deps, params.id, () => flows.startDispatch(send));
      }
      return answered(ctx, campaign);
    },
  });

  serve(campaignOperations.pauseCampaign, {
    load,
    handle: async ({ ctx, actor, params }) => answered(ctx, await pauseCampaign(db, authorOf(actor), params.id, now())),
  });

  serve(campaignOperations.resumeCampaign, {
    load,
    handle: async ({ ctx, actor, params }) => {
      const campaign = await resumeCampaign(db, authorOf(actor), params.id, now());
      await driveSends(deps, campaign);
      return answered(ctx, campaign);
    },
  });

  serve(campaignOperations.cancelCampaign, {
    load,
    handle: async ({ ctx, actor, params }) => {
      const campaign = await cancelCampaign(db, authorOf(actor), params.id, now());
      await drive(deps, params.id, () => flows.ensurePolling({ tenantId: actor.tenantId, campaignId: params.id }));
      return answered(ctx, campaign);
    },
  });
}
