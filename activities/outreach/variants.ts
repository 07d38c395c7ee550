import { type Look, lookAtTest } from '../../db/outreach/sends/variants/looking.ts';
import { findCampaign } from '../../db/outreach/campaigns/campaigns.ts';
import type { CampaignRef, OutreachDeps } from './deps.ts';
import { wakeSends } from './sends/drive.ts';

/** A look at a test, its time as ISO 8601. */
export type LookResult = Omit<Look, 'nextLookAt'> & { nextLookAt: string | null };

async function look(deps: OutreachDeps, { tenantId, campaignId }: CampaignRef): Promise<LookResult> {
  const key = { tenantId, campaignId };
  const found = await lookAtTest(deps.database, key, deps.now());
  if (!found) return { state: 'ended', arms: [], verdict: 'too_few', leader: null, chosen: null, nextLookAt: null };
  // Also if an earlier attempt had chosen, and did not get as far.
  if (found.state === 'chosen') {
    const campaign = await findCampaign(deps.database, tenantId, campaignId);
    if (campaign) await wakeSends(deps, { ...key, status: campaign.status });
  }
  return { ...found, nextLookAt: found.nextLookAt?.toISOString() ?? null };
}

export function createVariantActivities(deps: OutreachDeps) {
  return {
    /** Looks at the test of a campaign's variants, and chooses one if it is time; then the rest is sent. */
    lookAtVariants: (campaign: CampaignRef): Promise<LookResult> => look(deps, campaign),
  };
}
