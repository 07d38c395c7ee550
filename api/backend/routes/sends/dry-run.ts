import { type DryRun, dryRunOperations } from '../../../../domain/api/dry-run.ts';
import { dryRunWarnings } from '../../../../domain/campaigns/dry-run-warnings.ts';
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
  return firstChunks.map((contactIds, index) =>
    broadcastOf(
      { ...campaign, campaignId, scheduledAt },
      { key: `dry-run-${index + 1}`, contactIds, appId, now, sourcePending: true, ...pendingTokens(campaign) },
    ),
  );
}

async function dryRun({ database, appId, now }: BackendDeps, actor: Actor, id: string): Promise<DryRun> {
  const at = now();
  const sentAfter = new Date(at.getTime() - LATELY_MS);
  const stored = await storeDryRun(database, authorOf(actor), id, { now: at, requests: SHOWN_REQUESTS, sentAfter });
  const { campaign, preview, controlCount, sameAudience, chunkSizes } = stored;
  return {
    audienceCount: preview.reachableCount,
    controlCount,
    chunks: chunkSizes.map((contactCount) => ({ contactCount })),
    requests: requestsOf(stored, appId, at),
    warnings: dryRunWarnings({ ...campaign, preview, sameAudience, appId, now: at }),
  };
}

/** What a send would do, and how the actual send differed from it. */
export function dryRunRoutes(serve: ServeActor, deps: BackendDeps, load: CampaignLoader): void {
  serve(dryRunOperations.dryRunCampaign, {
    load,
    handle: ({ actor, params }) => dryRun(deps, actor, params.id),
  });

  serve(dryRunOperations.getAudienceDrift, {
    load,
    handle: ({ actor, params }) => readDrift(deps.database, actor.tenantId, params.id),
  });
}
