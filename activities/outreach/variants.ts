import { type Evaluation, evaluateTest } from '#commands/outreach/sends/variants/evaluate-test.ts';
import { findCampaign } from '#db/outreach/campaigns/campaigns.ts';
import type { CampaignRef, OutreachDeps } from './deps.ts';
import { type NextLook, toNextLook } from './next-look.ts';
import { wakeSends } from './sends/drive.ts';

/** An evaluation of a test. */
export type TestEvaluation = Omit<Evaluation, 'nextLookAt'> & NextLook;

async function look(deps: OutreachDeps, { tenantId, campaignId }: CampaignRef): Promise<TestEvaluation> {
  const key = { tenantId, campaignId };
  const found = await evaluateTest(deps.database, key, deps.now());
  if (!found) return { state: 'ended', arms: [], verdict: 'too_few', leader: null, chosen: null, nextLookAt: null };
  // Also if an earlier attempt had chosen, and did not get as far.
  if (found.state === 'decided') {
    const campaign = await findCampaign(deps.database, tenantId, campaignId);
    if (campaign) await wakeSends(deps, { ...key, status: campaign.status });
  }
  return { ...found, ...toNextLook(found.nextLookAt, deps.now()) };
}

export function createVariantActivities(deps: OutreachDeps) {
  return {
    /** Evaluates the variant test of a campaign, and chooses a winner if it is time; then the rest is sent. */
    lookAtVariants: (campaign: CampaignRef): Promise<TestEvaluation> => look(deps, campaign),
  };
}
