import { type DryRun, dryRunOperations } from '#domain/api/dry-run.ts';
import { forecastOperations, type SendForecast } from '#domain/api/forecast.ts';
import { Problem } from '#domain/api/problem.ts';
import { lacksSource } from '#domain/campaigns/entry-source.ts';
import { PENDING_CLICK_TOKEN } from '#domain/campaigns/revenue/tracked-link.ts';
import { decidesAt } from '#domain/campaigns/variants/looks.ts';
import { messagesOf, REST_ARM, variantsOf } from '#domain/campaigns/variants/variants.ts';
import { casesOf, nameOfCase } from '#domain/campaigns/cases/cases.ts';
import { dryRunWarnings } from '#domain/campaigns/dry-run-warnings.ts';
import { experienceOf } from '#domain/campaigns/forecast/experience.ts';
import { forecastSend } from '#domain/campaigns/forecast/forecast.ts';
import { readComparison, storeForecast } from '#db/outreach/sends/forecast/comparison.ts';
import { readEarlierSends } from '#db/outreach/sends/forecast/experience.ts';
import { readDrift } from '#db/outreach/sends/dry-runs/drift.ts';
import type { RevisionCheck } from '#commands/outreach/revision-check.ts';
import { type StoredDryRun, storeDryRun } from '#commands/outreach/sends/dry-runs/store-dry-run.ts';
import { broadcastOf } from '#activities/outreach/sends/broadcast-body.ts';
import type { Actor } from '#api/backend/auth.ts';
import { authorOf, type BackendDeps, type ServeActor } from '#api/backend/deps.ts';
import type { CampaignLoader } from '../campaigns/campaign.ts';
import { ifMatch } from '#api/backend/if-match.ts';

/** Number of A1 bodies shown in a response. */
const SHOWN_REQUESTS = 3;

/** Covers yesterday in any time zone. */
const LATELY_MS = 48 * 3_600_000;

/** A dry run has no tracked links: nothing is sent. */
const pendingTokens = ({ revenueWindowDays }: StoredDryRun['campaign']) =>
  revenueWindowDays === null ? {} : { tokenOf: () => PENDING_CLICK_TOKEN };

/** The bodies that `:send` would submit. They are numbered, since sub-tasks only get their keys when sent. */
function requestsOf({ campaign, firstChunks }: StoredDryRun, appId: string, now: Date): DryRun['requests'] {
  const { schedule, id: campaignId } = campaign;
  const scheduledAt = schedule.type === 'scheduled' ? new Date(schedule.at) : null;
  return firstChunks.map(({ variant, messageCase, contactIds }, index) =>
    broadcastOf(
      { ...campaign, messages: messagesOf(campaign, variant, messageCase), campaignId, scheduledAt },
      { key: `dry-run-${index + 1}`, contactIds, appId, now, sourcePending: true, ...pendingTokens(campaign) },
    ),
  );
}

/** What the send is going to take, which is kept beside the rehearsed set. */
async function forecastOf(
  { database, appId, callsPerSecond, pollIntervalMs }: BackendDeps,
  { campaign, preview, arms, cases }: StoredDryRun,
  now: Date,
): Promise<SendForecast> {
  const { id: campaignId, tenantId, serviceNumberId, schedule, pace, variants } = campaign;
  const isScheduled = schedule.type === 'scheduled';
  const from = isScheduled ? new Date(schedule.at) : now;
  const waits = variants !== null && (arms?.[REST_ARM] ?? 0) > 0;
  const send = {
    contacts: preview.reachableCount,
    arms: arms ?? cases,
    testMs: waits ? decidesAt(variants, from).getTime() - from.getTime() : null,
    pace,
    from,
    isScheduled,
    needsSource: lacksSource(campaign, appId),
  };
  const earlier = await readEarlierSends(database, { tenantId, serviceNumberId, now });
  const experience = experienceOf(earlier, callsPerSecond);
  const forecast = forecastSend(send, experience, { callsPerSecond, firstPollMs: pollIntervalMs });
  await storeForecast(database, { tenantId, campaignId }, forecast);
  return forecast;
}

async function dryRun(deps: BackendDeps, actor: Actor, id: string, checkRevision: RevisionCheck): Promise<DryRun> {
  const { database, appId, now } = deps;
  const at = now();
  const sentAfter = new Date(at.getTime() - LATELY_MS);
  const options = { now: at, requests: SHOWN_REQUESTS, sentAfter, checkRevision };
  const stored = await storeDryRun(database, authorOf(actor), id, options);
  const { campaign, preview, controlCount, skippedByCase, sameAudience, chunkSizes, arms, cases } = stored;
  const forecast = await forecastOf(deps, stored, at);
  return {
    audienceCount: preview.reachableCount,
    controlCount,
    skippedByCase,
    chunks: chunkSizes.map((contactCount) => ({ contactCount })),
    requests: requestsOf(stored, appId, at),
    variants: variantsOf(campaign).map(({ name }, arm) => ({ name, contactCount: arms?.[arm] ?? 0 })),
    cases: (campaign.messagesBy ? casesOf(campaign.messagesBy) : []).map(({ number, values }) => ({
      case: nameOfCase(number),
      values,
      contactCount: cases?.[number] ?? 0,
    })),
    followingCount: campaign.steps?.length ?? 0,
    warnings: dryRunWarnings({ ...campaign, preview, sameAudience, arms, cases, appId, now: at }),
    forecast,
  };
}

/** What a send would do, and how the actual send differed from it. */
export function dryRunRoutes(serve: ServeActor, deps: BackendDeps, load: CampaignLoader): void {
  serve(dryRunOperations.dryRunCampaign, {
    load,
    handle: ({ actor, params, headers }) => dryRun(deps, actor, params.id, ifMatch(headers['if-match'])),
  });

  serve(forecastOperations.getForecast, {
    load,
    handle: async ({ actor: { tenantId }, loaded: { id: campaignId, variants } }) => {
      const found = await readComparison(deps.database, { tenantId, campaignId });
      if (!found) throw new Problem('not_found', 'There is no campaign with this id');
      const { forecast, actual } = found;
      if (!actual) return { forecast, actual };
      // The rest of an audience is sent by other runs than the test.
      const temporalActions = variants === null ? await deps.launcher.actionsOf(campaignId) : null;
      return { forecast, actual: { ...actual, temporalActions } };
    },
  });

  serve(dryRunOperations.getAudienceDrift, {
    load,
    handle: ({ actor, params }) => readDrift(deps.database, actor.tenantId, params.id),
  });
}
