import { recordSourceUpdate, type SourceError, sourcesToUpdate } from '#db/outreach/campaigns/entry-sources.ts';
import type { CampaignRef, OutreachDeps } from '../deps.ts';
import { extensionData } from './create.ts';
import { lastError, settled } from './outcome.ts';

/** `refusal`: the platform's last permanent rejection, if there was one. */
export interface SourcesUpdated {
  updated: number;
  refusal?: string;
}

async function updateSources(deps: OutreachDeps, { tenantId, campaignId }: CampaignRef): Promise<SourcesUpdated> {
  const credentials = deps.pacing.credentials(tenantId);
  const data = extensionData(campaignId, deps.settings.PLATFORM_APP_ID);
  const refusals: (SourceError | null)[] = [];
  for (const { sourceId, wanted, name, endsAt } of await sourcesToUpdate(deps.database, { tenantId, campaignId })) {
    const change = { name, reason: { data }, expiresAt: endsAt?.toISOString() ?? null };
    const outcome = await deps.gateway.updateEntrySource(credentials, sourceId, change);
    const refusal = await settled(deps, { tenantId, sourceId, call: 'update' }, outcome);
    await recordSourceUpdate(deps.database, { tenantId, sourceId, wanted, now: deps.now(), refusal });
    refusals.push(refusal);
  }
  return { updated: refusals.length, ...lastError(refusals) };
}

/** Activities of updateEntrySources. */
export function createSourceUpdateActivities(deps: OutreachDeps) {
  return {
    /** Calls F2 for every source that the platform knows under an older name or end. */
    tellEntrySources: (campaign: CampaignRef): Promise<SourcesUpdated> => updateSources(deps, campaign),
  };
}
