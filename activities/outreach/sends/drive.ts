import { openSends } from '../../../db/outreach/sends/states.ts';
import type { CampaignRef, OutreachDeps, Started } from '../deps.ts';

/** Starts the test of the campaign's variants, if it has some, or lets it look at once. */
export async function driveTest(
  { launcher }: Pick<OutreachDeps, 'launcher'>,
  { variants, ...campaign }: Started<CampaignRef> & { variants: object | null },
): Promise<void> {
  if (variants !== null) await launcher.variantTest(campaign, { wake: true });
}

/** Starts what sends the steps of the campaign, if it has some, or lets it look at once. */
export async function driveSteps(
  { launcher }: Pick<OutreachDeps, 'launcher'>,
  { steps, ...campaign }: Started<CampaignRef> & { steps: object | null },
): Promise<void> {
  if (steps !== null) await launcher.steps(campaign, { wake: true });
}

/** Starts or wakes the workflows of sends that still have something to prepare or submit. */
export async function driveSends(
  { database, launcher }: Pick<OutreachDeps, 'database' | 'launcher'>,
  campaign: Started<CampaignRef>,
): Promise<void> {
  for (const send of await openSends(database, campaign.tenantId, campaign.campaignId))
    await launcher.dispatch({ ...campaign, ...send }, { wake: true });
}
