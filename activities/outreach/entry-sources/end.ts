import { awaitsCancellation } from '#db/outreach/sends/closing.ts';
import { closeEndedCampaign } from '#commands/outreach/sends/close-campaign.ts';
import { recordSourceEnd, type SourceError, sourcesToEnd } from '#db/outreach/campaigns/entry-sources.ts';
import type { Database } from '#db/database.ts';
import type { CampaignRef, Launcher, OutreachDeps, Started } from '../deps.ts';
import { lastError, settled } from './outcome.ts';

/** `refusal`: the platform's last permanent rejection, if there was one. */
export interface SourcesEnded {
  ended: number;
  refusal?: string;
}

async function closeWhenEnded(deps: OutreachDeps, { tenantId, campaignId }: CampaignRef): Promise<boolean> {
  const key = { tenantId, campaignId };
  const closed = await closeEndedCampaign(deps.database, key, deps.now());
  if (closed && (await awaitsCancellation(deps.database, key))) await deps.launcher.polling(key, { wake: true });
  return closed;
}

async function endSources(deps: OutreachDeps, { tenantId, campaignId }: CampaignRef): Promise<SourcesEnded> {
  const credentials = deps.pacing.credentials(tenantId);
  const refusals: (SourceError | null)[] = [];
  for (const sourceId of await sourcesToEnd(deps.database, { tenantId, campaignId })) {
    const outcome = await deps.gateway.endEntrySource(credentials, sourceId);
    const refusal = await settled(deps, { tenantId, sourceId, call: 'end' }, outcome);
    await recordSourceEnd(deps.database, { tenantId, sourceId, now: deps.now(), refusal });
    refusals.push(refusal);
  }
  return { ended: refusals.length, ...lastError(refusals) };
}

/** A cancelled campaign ends its entry sources as a closed one does; what fails here is left to the sweep. */
export async function endSourcesIfCancelled(
  { database, launcher }: { database: Database; launcher: Pick<Launcher, 'closing'> },
  campaign: Started<CampaignRef>,
): Promise<void> {
  if (campaign.status !== 'cancelled' || (await sourcesToEnd(database, campaign)).length === 0) return;
  await launcher.closing(campaign, { wake: true });
}

/** Activities of closeCampaign. */
export function createSourceEndActivities(deps: OutreachDeps) {
  return {
    /** Closes the campaign if its end has passed. @returns whether it is closed, by whomever. */
    closeWhenEnded: (campaign: CampaignRef): Promise<boolean> => closeWhenEnded(deps, campaign),
    /** Calls F3 for every source of a closed or cancelled campaign that is not ended yet. */
    endEntrySources: (campaign: CampaignRef): Promise<SourcesEnded> => endSources(deps, campaign),
  };
}
