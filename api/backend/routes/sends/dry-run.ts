import { type DryRun, dryRunOperations } from '../../../../domain/api/dry-run.ts';
import { forecastOperations, type SendForecast } from '../../../../domain/api/forecast.ts';
import { Problem } from '../../../../domain/api/problem.ts';
import { lacksSource } from '../../../../domain/campaigns/entry-source.ts';
import { messagesOf, variantsOf } from '../../../../domain/campaigns/variants/variants.ts';
import { dryRunWarnings } from '../../../../domain/campaigns/dry-run-warnings.ts';
import { forecastSend } from '../../../../domain/campaigns/forecast/forecast.ts';
import { readComparison, storeForecast } from '../../../../db/outreach/sends/forecast/comparison.ts';
import { readExperience } from '../../../../db/outreach/sends/forecast/experience.ts';
import { readDrift } from '../../../../db/outreach/sends/dry-runs/drift.ts';
import { type StoredDryRun, storeDryRun } from '../../../../db/outreach/sends/dry-runs/dry-runs.ts';
import { broadcastOf } from '../../../../activities/outreach/sends/broadcast-body.ts';
import type { Actor } from '../../auth.ts';
import { authorOf, type BackendDeps, type ServeActor } from '../../deps.ts';
import type { CampaignLoader } from '../campaigns/campaign.ts';

/** Number of A1 bodies shown in a response. */
const SHOWN_REQUESTS = 3;

/** Covers yesterday in any time zone. */
const LATELY_MS = 48 * 3_600_000;

/** A rehearsal has no links that count: nobody was sent to. */
const pendingTokens = ({ revenueWindowDays }: StoredDryRun['campaign']) =>
  revenueWindowDays === null ? {} : { tokenOf: () => 'set-when-sent' };

/** The bodies that `:send` would submit. They are numbered, since sub-tasks only get their keys when sent. */
function requestsOf({ campaign, firstChunks }: StoredDryRun, appId: string, now: Date): DryRun['requests'] {
  const { schedule, id: campaignId } = campaign;
  const scheduledAt = schedule.type === 'scheduled' ? new Date(schedule.at) : null;
  return firstChunks.map(({ variant, contactIds }, index) =>
    broadcastOf(
      { ...campaign, messages: messagesOf(campaign, variant), campaignId, scheduledAt },
      { key: `dry-run-${index + 1}`, contactIds, appId, now, sourcePending: true, ...pendingTokens(campaign) },
    ),
  );
}

/** What the send is going to take, which is kept beside the rehearsed set. */
async function forecastOf(
  { database, appId, callsPerSecond, pollIntervalMs }: BackendDeps,
  { campaign, preview }: StoredDryRun,
  now: Date,
): Promise<SendForecast> {
  const { id: campaignId, tenantId, serviceNumberId, schedule, pace } = campaign;
  const isScheduled = schedule.type === 'scheduled';
  const send = {
    contacts: preview.reachableCount,
    pace,
    from: isScheduled ? new Date(schedule.at) : now,
    isScheduled,
    needsSource: lacksSource(campaign, appId),
  };
  const experience = await readExperience(database, { tenantId, serviceNumberId, now });
  const forecast = forecastSend(send, experience, { callsPerSecond, firstPollMs: pollIntervalMs });
  await storeForecast(database, { tenantId, campaignId }, forecast);
  return forecast;
}

async function dryRun(deps: BackendDeps, actor: Actor, id: string): Promise<DryRun> {
  const { database, appId, now } = deps;
  const at = now();
  const sentAfter = new Date(at.getTime() - LATELY_MS);
  const stored = await storeDryRun(database, authorOf(actor), id, { now: at, requests: SHOWN_REQUESTS, sentAfter });
  const { campaign, preview, controlCount, sameAudience, chunkSizes, arms } = stored;
  const forecast = await forecastOf(deps, stored, at);
  return {
    audienceCount: preview.reachableCount,
    controlCount,
    chunks: chunkSizes.map((contactCount) => ({ contactCount })),
    requests: requestsOf(stored, appId, at),
    variants: variantsOf(campaign).map(({ name }, arm) => ({ name, contactCount: arms?.[arm] ?? 0 })),
    warnings: dryRunWarnings({ ...campaign, preview, sameAudience, appId, now: at }),
    forecast,
  };
}

/** What a send would do, and how the actual send differed from it. */
export function dryRunRoutes(serve: ServeActor, deps: BackendDeps, load: CampaignLoader): void {
  serve(dryRunOperations.dryRunCampaign, {
    load,
    handle: ({ actor, params }) => dryRun(deps, actor, params.id),
  });

  serve(forecastOperations.getForecast, {
    load,
    handle: async ({ actor: { tenantId }, loaded: { id: campaignId } }) => {
      const found = await readComparison(deps.database, { tenantId, campaignId });
      if (!found) throw new Problem('not_found', 'There is no campaign with this id');
      const { forecast, actual } = found;
      if (!actual) return { forecast, actual };
      return { forecast, actual: { ...actual, temporalActions: await deps.launcher.actionsOf(campaignId) } };
    },
  });

  serve(dryRunOperations.getAudienceDrift, {
    load,
    handle: ({ actor, params }) => readDrift(deps.database, actor.tenantId, params.id),
  });
}
