import { type Database, rows, type Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { type CampaignRecord, findCampaign } from '#db/outreach/campaigns/campaigns.ts';
import { readSendFacts } from '#db/outreach/sends/facts.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import type { BatchResult } from '#domain/api/batches.ts';
import { assertPossible } from '#domain/sends/actions.ts';
import { endWhenOver } from '../automations/move-automation.ts';
import { changeEach } from '../batch.ts';
import { lockCampaign } from '../campaigns/lock-campaign.ts';
import { endWhatIsOpen } from './cancel-campaign.ts';

/**
 * Nothing more is sent for a closed campaign: what is not submitted is cancelled, and scheduled tasks are cancelled
 * at the platform, as for `:cancel`. Tasks that the platform has started continue and are followed to their end.
 */
async function close(transaction: Transaction, author: Author, campaign: CampaignRecord, now: Date): Promise<void> {
  const key = { tenantId: author.tenantId, campaignId: campaign.id };
  await rows(
    transaction,
    `update campaign set status = 'closed', pause_reason = null, cancel_requested = true, closed_at = :now,
       updated_at = :now
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
    assertPossible('close', await readSendFacts(transaction, before, now));
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
 * Closes a sent campaign whose end has passed, or ends such an automation; does nothing otherwise, or if it no longer exists.
 * @returns whether it is closed now.
 */
export function closeEndedCampaign(
  database: Database,
  { tenantId, campaignId }: CampaignKey,
  now: Date,
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    if (!(await findCampaign(transaction, tenantId, campaignId)))
      return await endWhenOver(transaction, { tenantId, automationId: campaignId }, now);
    const campaign = await lockCampaign(transaction, tenantId, campaignId);
    if (campaign.status === 'closed') return true;
    if (campaign.status === 'draft' || campaign.endsAt === null || campaign.endsAt > now) return false;
    await close(transaction, { tenantId, userId: 'service:schedule', requestId: null }, campaign, now);
    return true;
  });
}
