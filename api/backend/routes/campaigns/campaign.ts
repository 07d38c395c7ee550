import type { Context } from 'koa';
import type { Campaign } from '#domain/api/campaign.ts';
import { Problem } from '#domain/api/problem.ts';
import { type CampaignRecord, findCampaign } from '#db/outreach/campaigns/campaigns.ts';
import type { Actor } from '#api/backend/auth.ts';
import type { BackendDeps } from '#api/backend/deps.ts';
import { etagOf } from './if-match.ts';
import { presentCampaign } from './present.ts';

export type CampaignLoader = (call: { actor: Actor; params: { id: string } }) => Promise<CampaignRecord>;

/** Loads the campaign named in the path, for any of its operations. */
export function campaignLoader({ database }: BackendDeps): CampaignLoader {
  return async ({ actor, params }) => {
    const campaign = await findCampaign(database, actor.tenantId, params.id);
    if (!campaign) throw new Problem('not_found', 'There is no campaign with this id');
    return campaign;
  };
}

/** The campaign as response body, with its version as ETag. */
export function respond(ctx: Context, campaign: CampaignRecord): Campaign {
  ctx.set('ETag', etagOf(campaign.version));
  return presentCampaign(campaign);
}

/** Identifies the campaign when a workflow is started for it. */
export const refOf = ({ tenantId, id, status }: CampaignRecord) => ({ tenantId, campaignId: id, status });
