import type { CampaignStatus } from '#domain/api/campaign.ts';
import { type Database, rows } from '#db/database.ts';
import { BroadcastTaskRow } from '../models/sends.ts';
import { integrationActive } from '../sql-fragments.ts';
import type { CampaignKey } from './ledger/campaign-key.ts';

/** Scheduled tasks of the campaign that still have to be cancelled at the platform, which polling does. */
export async function awaitsCancellation(database: Database, { tenantId, campaignId }: CampaignKey): Promise<boolean> {
  const found = await BroadcastTaskRow.query(database)
    .select('key')
    .findOne({ tenantId, campaignId, status: 'scheduled' })
    .limit(1);
  return found !== undefined;
}

/** Sent campaigns whose end has passed. */
export function endedCampaigns(
  database: Database,
  { now, limit }: { now: Date; limit: number },
): Promise<CampaignKey[]> {
  return rows<CampaignKey>(
    database,
    `select c.tenant_id, c.campaign_id from campaign c
     where c.ends_at <= :now and c.ends_at is not null and c.dispatches > 0 and c.status <> 'closed' and ${integrationActive('c')}
     order by c.ends_at limit :limit`,
    { now, limit },
  );
}

/**
 * Campaigns with a source that must be ended (if they are `closed` or `cancelled`) or updated (F2). In random order, so that those
 * that cannot be processed now do not starve the others.
 */
export function unfinishedSources(
  database: Database,
  { limit }: { limit: number },
): Promise<(CampaignKey & { status: CampaignStatus })[]> {
  return rows<CampaignKey & { status: CampaignStatus }>(
    database,
    `select found.* from (
       select distinct c.tenant_id, c.campaign_id, c.status
       from entry_source s join campaign c using (campaign_id)
       where s.ended_at is null and (c.status in ('closed', 'cancelled') or s.told < s.wanted) and ${integrationActive('c')}) found
     order by random() limit :limit`,
    { limit },
  );
}
