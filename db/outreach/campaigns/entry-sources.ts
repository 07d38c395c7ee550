import { raw } from 'objection';
import type { CampaignStatus } from '#domain/api/campaign.ts';
import { type Database, rows, type Transaction } from '#db/database.ts';
import { EntrySourceRow } from '../models/campaigns.ts';
import type { CampaignKey } from '../sends/ledger/campaign-key.ts';
import { integrationActive } from '../sql-fragments.ts';

/**
 * Sources reported by sessions, for calls whose response was lost: the campaign may have been changed since, so the platform is
 * told. In key order, like all writes here.
 */
export async function storeSessionSources(
  transaction: Transaction,
  sources: { tenantId: string; sourceId: string; campaignId: string }[],
): Promise<void> {
  if (sources.length === 0) return;
  await rows(
    transaction,
    `insert into entry_source (tenant_id, source_id, campaign_id, wanted)
     select distinct on (1, 2) c.tenant_id, g.source_id, c.campaign_id, 1
     from unnest(:tenantIds::text[], :sourceIds::text[], :campaignIds::text[]) as g(tenant_id, source_id, campaign_id)
     join campaign c on c.tenant_id = g.tenant_id and c.campaign_id = g.campaign_id and c.dispatches > 0
     order by 1, 2
     on conflict (tenant_id, source_id) do nothing`,
    {
      tenantIds: sources.map(({ tenantId }) => tenantId),
      sourceIds: sources.map(({ sourceId }) => sourceId),
      campaignIds: sources.map(({ campaignId }) => campaignId),
    },
  );
}

/**
 * The campaign's name or end changed: every source that is not ended needs F2. Call it in the transaction of the
 * change.
 */
export async function wantSourceUpdate(transaction: Transaction, { tenantId, campaignId }: CampaignKey): Promise<void> {
  await EntrySourceRow.query(transaction).where({ tenantId, campaignId }).whereNull('endedAt').increment('wanted', 1);
}

/** Campaigns in these states no longer send, and their entry sources are closed. */
const withoutSources: CampaignStatus[] = ['closed', 'cancelled'];

export interface SourceUpdate {
  sourceId: string;
  wanted: number;
  name: string;
  endsAt: Date | null;
}

/** Sources of a campaign that are not ended, with the campaign; none while the integration is not ACTIVE. */
const openSources = (database: Database, { tenantId, campaignId }: CampaignKey) =>
  EntrySourceRow.query(database)
    .alias('s')
    .joinRelated('campaign')
    .where({ 's.tenantId': tenantId, 's.campaignId': campaignId })
    .whereNull('s.endedAt')
    .whereRaw(integrationActive('s'))
    .orderBy('s.sourceId');

/** Sources that the platform knows under an older name or end; none while the integration is not ACTIVE. */
export async function sourcesToUpdate(database: Database, key: CampaignKey): Promise<SourceUpdate[]> {
  return await openSources(database, key)
    .select('s.sourceId', 's.wanted', 'campaign.name', 'campaign.endsAt')
    .whereColumn('s.told', '<', 's.wanted')
    .whereNotIn('campaign.status', withoutSources)
    .castTo<SourceUpdate[]>();
}

/** The platform's rejection of F2 (`update`) or F3 (`end`). */
export interface SourceError {
  call: 'update' | 'end';
  code: string;
  message: string;
}

interface SourceOutcome {
  tenantId: string;
  sourceId: string;
  now: Date;
  /** Null if it took effect. */
  refusal: SourceError | null;
}

const errorColumns = ({ now, refusal }: Pick<SourceOutcome, 'now' | 'refusal'>) => ({
  errorCall: refusal?.call ?? null,
  errorCode: refusal?.code.slice(0, 100) ?? null,
  errorMessage: refusal?.message.slice(0, 1000) ?? null,
  errorAt: refusal && now,
});

/** F2 took effect, or was rejected for good: not called again until the next change. */
export async function recordSourceUpdate(
  database: Database,
  { tenantId, sourceId, wanted, ...outcome }: SourceOutcome & { wanted: number },
): Promise<void> {
  await EntrySourceRow.query(database)
    .findById([tenantId, sourceId])
    .patch({ told: raw('greatest(told, ?::int)', [wanted]), ...errorColumns(outcome) });
}

/** It was rejected, but is retried anyway. */
export async function recordSourceError(
  database: Database,
  { tenantId, sourceId, ...outcome }: SourceOutcome & { refusal: SourceError },
): Promise<void> {
  await EntrySourceRow.query(database).findById([tenantId, sourceId]).patch(errorColumns(outcome));
}

/**
 * Sources of a closed or cancelled campaign that F3 must still be called for; none while the integration is not
 * ACTIVE.
 */
export async function sourcesToEnd(database: Database, key: CampaignKey): Promise<string[]> {
  const found = await openSources(database, key).select('s.sourceId').whereIn('campaign.status', withoutSources);
  return found.map(({ sourceId }) => sourceId);
}

/** F3 took effect, or was rejected for good: either way it is not called again. */
export async function recordSourceEnd(
  database: Database,
  { tenantId, sourceId, ...outcome }: SourceOutcome,
): Promise<void> {
  await EntrySourceRow.query(database)
    .findById([tenantId, sourceId])
    .whereNull('endedAt')
    .patch({ endedAt: outcome.now, ...errorColumns(outcome) });
}
