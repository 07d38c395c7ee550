import { type Database, rows, type Transaction } from '#db/database.ts';
import type { Author } from '#db/outreach/audit/record.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import { refreshCampaign } from './ledger/refresh-campaign.ts';
import { changeState } from './states.ts';

/** Makes paused sub-tasks due, late or not. The caller holds the campaign's lock. */
export async function resumeSending(transaction: Transaction, key: CampaignKey, now: Date): Promise<void> {
  await rows(
    transaction,
    `update campaign set status = 'sending', pause_reason = null, updated_at = :now
     where tenant_id = :tenantId and campaign_id = :campaignId`,
    { ...key, now },
  );
  await rows(
    transaction,
    `update broadcast_task set next_attempt_at = null
     where tenant_id = :tenantId and campaign_id = :campaignId and status = 'pending'`,
    { ...key },
  );
  await rows(
    transaction,
    `update dispatch set late_at = :now
     where tenant_id = :tenantId and campaign_id = :campaignId and late_at is null and scheduled_at <= :now`,
    { ...key, now },
  );
  await refreshCampaign(transaction, key, now);
}

/**
 * What was paused is due immediately, even if its time has passed: that is the user's decision here, so the late rule
 * no longer applies.
 * @throws Problem `not_found`, `invalid_state`, and `approval_required` for what another operator has to approve.
 */
export function resumeCampaign(database: Database, author: Author, id: string, now: Date): Promise<CampaignRecord> {
  return changeState(database, author, id, {
    action: 'resume',
    now,
    apply: (transaction) => resumeSending(transaction, { tenantId: author.tenantId, campaignId: id }, now),
  });
}
