import { Problem } from '#domain/api/problem.ts';
import { type CampaignRecord, findCampaign } from '#db/outreach/campaigns/campaigns.ts';
import type { Actor } from '#api/backend/auth.ts';
import type { BackendDeps } from '#api/backend/deps.ts';

export type CampaignLoader = (call: { actor: Actor; params: { id: string } }) => Promise<CampaignRecord>;

/** Loads the campaign named in the path, for any of its operations. */
export function campaignLoader({ database }: BackendDeps): CampaignLoader {
  return async ({ actor, params }) => {
    const campaign = await findCampaign(database, actor.tenantId, params.id);
    if (!campaign) throw new Problem('not_found', 'There is no campaign with this id');
    return campaign;
  };
}

/** Identifies the campaign when a workflow is started for it. */
export const refOf = ({ tenantId, id, status }: Pick<CampaignRecord, 'tenantId' | 'id' | 'status'>) => ({
  tenantId,
  campaignId: id,
  status,
});
