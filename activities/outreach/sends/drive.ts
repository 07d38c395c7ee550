import { openSends } from '../../../db/outreach/sends/states.ts';
import type { CampaignRef, OutreachDeps, Started } from '../deps.ts';

/** Starts or wakes the workflows of sends that still have something to prepare or submit. */
export async function driveSends(
  { database, launcher }: Pick<OutreachDeps, 'database' | 'launcher'>,
  campaign: Started<CampaignRef>,
): Promise<void> {
  for (const send of await openSends(database, campaign.tenantId, campaign.campaignId))
    await launcher.dispatch({ ...campaign, ...send }, { wake: true });
}
