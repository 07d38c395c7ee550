import { openSends } from '#db/outreach/sends/dispatches.ts';
import type { CampaignRef, OutreachDeps, Started } from '../deps.ts';

/** What looks at a campaign beside its sends, each null without it: the test of its variants, and its steps. */
export interface LookedAt {
  variants: object | null;
  steps: object | null;
}

/** Starts what looks at the test of the campaign's variants, and at its steps, or lets it look at once. */
export async function wakeEvaluators(
  { launcher }: Pick<OutreachDeps, 'launcher'>,
  { variants, steps, ...campaign }: Started<CampaignRef> & LookedAt,
): Promise<void> {
  if (variants !== null) await launcher.variantTest(campaign, { wake: true });
  if (steps !== null) await launcher.steps(campaign, { wake: true });
}

type Driving = Pick<OutreachDeps, 'database' | 'launcher'>;

/**
 * Starts or wakes the workflows of sends that still have something to prepare or submit; one that starts has its tasks followed.
 * Enough for activities, which make sure of what an earlier attempt may have left out.
 */
export async function wakeSends({ database, launcher }: Driving, campaign: Started<CampaignRef>): Promise<void> {
  for (const send of await openSends(database, campaign.tenantId, campaign.campaignId))
    await launcher.dispatch({ ...campaign, ...send }, { wake: true });
}

/**
 * Starts or wakes what sends a campaign, and what follows its tasks: a send that is already running does not start that
 * again, which may wait for as long as nothing was expected of the campaign.
 */
export async function driveSends(deps: Driving, campaign: Started<CampaignRef>): Promise<void> {
  await wakeSends(deps, campaign);
  await deps.launcher.polling(campaign, { wake: true });
}
