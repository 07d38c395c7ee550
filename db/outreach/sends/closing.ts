import type { BatchResult } from '../../../domain/api/batches.ts';
import type { CampaignStatus } from '../../../domain/api/campaign.ts';
import { Problem } from '../../../domain/api/problem.ts';
import { type Database, rows, type Transaction } from '../../database.ts';
import { integrationActive } from '../sql-fragments.ts';
import { type Author, recordAudit } from '../audit/record.ts';
import { changeEach } from '../batch.ts';
import { type CampaignRecord, findCampaign, lockCampaign } from '../campaigns/campaigns.ts';
import { BroadcastTaskRow } from '../models/sends.ts';
import type { CampaignKey } from './ledger/campaign-key.ts';
import { endWhatIsOpen } from './states.ts';

/**
 * Nothing more is sent for a closed campaign: what is not submitted is cancelled, and scheduled tasks are cancelled
 * at the platform, as for `:cancel`. Tasks that the platform has started continue and are followed to their end.
 */
async function close(transaction: Transaction, author: Author, campaign: CampaignRecord, now: Date): Promise<void> {
  const key = { tenantId: author.tenantId, campaignId: campaign.id };
  await rows(
    transaction,
    `update campaign set status = 'closed', pause_reason = null, cancel_requested = true, closed_at = :now,
       updated_at = :now, version = version + 1
     where tenant_id = :tenantId and campaign_id = :campaignId`,
    { ...key, now },
  );
  await endWhatIsOpen(transaction, author, key, now);
  await recordAudit(transaction, author, {
    action: 'campaign.close',
    objectType: 'campaign',
    objectId: campaign.id,
    before: { status: campaign.status },
    after: { status: 'closed' },
  });
}

/** Closes a campaign that was sent. @throws Problem `not_found`, `invalid_state` for a draft or a closed campaign. */
export function closeCampaign(database: Database, author: Author, id: string, now: Date): Promise<CampaignRecord> {
  return database.transaction(async (transaction) => {
    const before = await lockCampaign(transaction, author.tenantId, id);
    if (before.status === 'draft' || before.status === 'closed')
      throw new Problem('invalid_state', `A campaign that is ${before.status} cannot be closed`);
    await close(transaction, author, before, now);
    return (await findCampaign(transaction, author.tenantId, id)) ?? before;
  });
}

/** The same for several; one that is closed stays so. @returns what became of each. */
export function closeCampaigns(
  database: Database,
  author: Author,
  ids: readonly string[],
  now: Date,
): Promise<BatchResult[]> {
  return changeEach(database, ids, async (transaction, id) => {
    const { status } = await lockCampaign(transaction, author.tenantId, id);
    if (status === 'closed') return 'unchanged';
    await closeCampaign(transaction, author, id, now);
    return 'done';
  });
}

/**
 * Closes a sent campaign whose end has passed; does nothing otherwise, or if it no longer exists.
 * @returns whether it is closed now.
 */
export function closeEndedCampaign(
  database: Database,
  { tenantId, campaignId }: CampaignKey,
  now: Date,
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    if (!(await findCampaign(transaction, tenantId, campaignId))) return false;
    const campaign = await lockCampaign(transaction, tenantId, campaignId);
    if (campaign.status === 'closed') return true;
    if (campaign.status === 'draft' || campaign.endsAt === null || campaign.endsAt > now) return false;
    await close(transaction, { tenantId, userId: 'service:schedule', requestId: null }, campaign, now);
    return true;
  });
}

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
