import { ApplicationFailure } from '@temporalio/activity';
import { awaitsCancellation, closeEndedCampaign } from '../../db/outreach/campaign-closing.ts';
import { recordSourceEnd, recordSourceUpdate, sourcesToEnd, sourcesToUpdate } from '../../db/outreach/entry-sources.ts';
import type { Outcome } from '../platform/outcome.ts';
import { type CampaignRef, credentialSource, type OutreachDeps } from './deps.ts';

/** Somebody has to mend a refused signature; asking often does not help. */
const unauthorizedWaitMs = 60_000;

/** F2 and F3 say what is so, and do no harm when repeated: whatever is not certain is tried again. */
function settled(outcome: Outcome<true>, what: string): { errorCode: string | null } {
  if (outcome.kind === 'accepted') return { errorCode: null };
  if (outcome.kind === 'refused') return { errorCode: outcome.code.slice(0, 100) };
  const wait =
    outcome.kind === 'retryable' ? outcome.retryAfterMs : outcome.kind === 'unauthorized' ? unauthorizedWaitMs : null;
  throw ApplicationFailure.create({
    message: `${what}: ${outcome.message}`,
    type: 'PlatformUnavailable',
    ...(wait === null ? {} : { nextRetryDelay: wait }),
  });
}

async function closeWhenEnded(deps: OutreachDeps, { tenantId, campaignId }: CampaignRef): Promise<boolean> {
  const key = { tenantId, campaignId };
  const closed = await closeEndedCampaign(deps.database, key, deps.now());
  if (closed && (await awaitsCancellation(deps.database, key))) await deps.launcher.polling(key, { wake: true });
  return closed;
}

async function endSources(deps: OutreachDeps, { tenantId, campaignId }: CampaignRef): Promise<{ ended: number }> {
  const credentials = credentialSource(deps, tenantId);
  const found = await sourcesToEnd(deps.database, { tenantId, campaignId });
  for (const sourceId of found) {
    const outcome = await deps.gateway.endEntrySource(credentials, sourceId);
    const result = settled(outcome, 'An entry source could not be ended');
    await recordSourceEnd(deps.database, { tenantId, sourceId, now: deps.now(), ...result });
  }
  return { ended: found.length };
}

async function updateSources(deps: OutreachDeps, { tenantId, campaignId }: CampaignRef): Promise<{ updated: number }> {
  const credentials = credentialSource(deps, tenantId);
  const found = await sourcesToUpdate(deps.database, { tenantId, campaignId });
  for (const { sourceId, wanted, name, endsAt } of found) {
    const change = { name, expiresAt: endsAt?.toISOString() ?? null };
    const outcome = await deps.gateway.updateEntrySource(credentials, sourceId, change);
    const result = settled(outcome, 'An entry source could not be updated');
    await recordSourceUpdate(deps.database, { tenantId, sourceId, wanted, ...result });
  }
  return { updated: found.length };
}

/** Activities of closeCampaign and updateEntrySources. */
export function createSourceChangeActivities(deps: OutreachDeps) {
  return {
    /** Closes the campaign where its end has passed. @returns whether it is closed, by whomever. */
    closeWhenEnded: (campaign: CampaignRef): Promise<boolean> => closeWhenEnded(deps, campaign),
    /** F3 for every source of a closed campaign that is not ended yet. */
    endEntrySources: (campaign: CampaignRef): Promise<{ ended: number }> => endSources(deps, campaign),
    /** F2 for every source that the platform knows under an older name or end. */
    tellEntrySources: (campaign: CampaignRef): Promise<{ updated: number }> => updateSources(deps, campaign),
  };
}
