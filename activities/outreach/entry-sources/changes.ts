import { ApplicationFailure } from '@temporalio/activity';
import { awaitsCancellation, closeEndedCampaign } from '../../../db/outreach/sends/closing.ts';
import {
  recordSourceEnd,
  recordSourceError,
  recordSourceUpdate,
  type SourceError,
  sourcesToEnd,
  sourcesToUpdate,
} from '../../../db/outreach/campaigns/entry-sources.ts';
import type { Outcome } from '../../../clients/platform/outcome.ts';
import { type CampaignRef, credentialSource, type OutreachDeps } from '../deps.ts';
import { extensionData } from './create.ts';

/** `refusal`: the last thing that the platform will not do, where there was any. */
export interface SourcesEnded {
  ended: number;
  refusal?: string;
}

export interface SourcesUpdated {
  updated: number;
  refusal?: string;
}

/** Somebody has to mend a refused signature; asking often does not help. */
const unauthorizedWaitMs = 60_000;

type Call = SourceError['call'];

interface SourceCall {
  tenantId: string;
  sourceId: string;
  call: Call;
}

/**
 * F2 and F3 say what is so, and do no harm when repeated: whatever is not certain is tried again.
 * @returns why the platform will not do it; null where it did.
 * @throws ApplicationFailure `PlatformUnavailable` where it is to be tried again; a refused signature is kept before.
 */
async function settled(deps: OutreachDeps, called: SourceCall, outcome: Outcome<true>): Promise<SourceError | null> {
  const { call, ...source } = called;
  if (outcome.kind === 'accepted') return null;
  if (outcome.kind === 'refused') return { call, code: outcome.code, message: outcome.message };
  if (outcome.kind === 'unauthorized') {
    const refusal = { call, code: 'unauthorized', message: outcome.message };
    await recordSourceError(deps.database, { ...source, now: deps.now(), refusal });
  }
  const wait =
    outcome.kind === 'retryable' ? outcome.retryAfterMs : outcome.kind === 'unauthorized' ? unauthorizedWaitMs : null;
  throw ApplicationFailure.create({
    message: `Entry source ${source.sourceId} could not be ${call === 'end' ? 'ended' : 'updated'}: ${outcome.message}`,
    type: 'PlatformUnavailable',
    ...(wait === null ? {} : { nextRetryDelay: wait }),
  });
}

/** The last of them in words, for the details of the workflow. */
function inWords(refusals: (SourceError | null)[]): { refusal?: string } {
  const last = refusals.findLast((refusal) => refusal !== null);
  return last ? { refusal: `${last.code}: ${last.message}`.slice(0, 500) } : {};
}

async function closeWhenEnded(deps: OutreachDeps, { tenantId, campaignId }: CampaignRef): Promise<boolean> {
  const key = { tenantId, campaignId };
  const closed = await closeEndedCampaign(deps.database, key, deps.now());
  if (closed && (await awaitsCancellation(deps.database, key))) await deps.launcher.polling(key, { wake: true });
  return closed;
}

async function endSources(deps: OutreachDeps, { tenantId, campaignId }: CampaignRef): Promise<SourcesEnded> {
  const credentials = credentialSource(deps, tenantId);
  const refusals: (SourceError | null)[] = [];
  for (const sourceId of await sourcesToEnd(deps.database, { tenantId, campaignId })) {
    const outcome = await deps.gateway.endEntrySource(credentials, sourceId);
    const refusal = await settled(deps, { tenantId, sourceId, call: 'end' }, outcome);
    await recordSourceEnd(deps.database, { tenantId, sourceId, now: deps.now(), refusal });
    refusals.push(refusal);
  }
  return { ended: refusals.length, ...inWords(refusals) };
}

async function updateSources(deps: OutreachDeps, { tenantId, campaignId }: CampaignRef): Promise<SourcesUpdated> {
  const credentials = credentialSource(deps, tenantId);
  const data = extensionData(campaignId, deps.settings.PLATFORM_APP_ID);
  const refusals: (SourceError | null)[] = [];
  for (const { sourceId, wanted, name, endsAt } of await sourcesToUpdate(deps.database, { tenantId, campaignId })) {
    const change = { name, reason: { data }, expiresAt: endsAt?.toISOString() ?? null };
    const outcome = await deps.gateway.updateEntrySource(credentials, sourceId, change);
    const refusal = await settled(deps, { tenantId, sourceId, call: 'update' }, outcome);
    await recordSourceUpdate(deps.database, { tenantId, sourceId, wanted, now: deps.now(), refusal });
    refusals.push(refusal);
  }
  return { updated: refusals.length, ...inWords(refusals) };
}

/** Activities of closeCampaign and updateEntrySources. */
export function createSourceChangeActivities(deps: OutreachDeps) {
  return {
    /** Closes the campaign where its end has passed. @returns whether it is closed, by whomever. */
    closeWhenEnded: (campaign: CampaignRef): Promise<boolean> => closeWhenEnded(deps, campaign),
    /** F3 for every source of a closed campaign that is not ended yet. */
    endEntrySources: (campaign: CampaignRef): Promise<SourcesEnded> => endSources(deps, campaign),
    /** F2 for every source that the platform knows under an older name or end. */
    tellEntrySources: (campaign: CampaignRef): Promise<SourcesUpdated> => updateSources(deps, campaign),
  };
}
