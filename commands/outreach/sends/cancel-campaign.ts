import { type Database, rows, type Transaction } from '#db/database.ts';
import type { Author } from '#db/outreach/audit/record.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { endApproval } from '#db/outreach/sends/approval/requests.ts';
import { cancelPreparing } from '#db/outreach/sends/cancelling.ts';
import { closeEdit } from '#db/outreach/sends/editing/edits.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import { pollScheduled } from '#db/outreach/sends/ledger/status.ts';
import { refreshCampaign } from './ledger/refresh-campaign.ts';
import { changeState } from './states.ts';

/** Ends all that is open of a campaign whose row says that nothing more is sent. The caller holds its lock. */
export async function endWhatIsOpen(
  transaction: Transaction,
  author: Author,
  key: CampaignKey,
  now: Date,
): Promise<void> {
  await endApproval(transaction, key, { outcome: 'withdrawn', decidedBy: author.userId, now });
  await closeEdit(transaction, key, { outcome: 'dropped', now });
  await cancelPreparing(transaction, key, now);
  await pollScheduled(transaction, key, now);
  await refreshCampaign(transaction, key, now);
}

/** Cancels pending sub-tasks, and open changes and approvals. The caller holds the campaign's lock. */
export async function stopSending(
  transaction: Transaction,
  author: Author,
  key: CampaignKey,
  now: Date,
): Promise<void> {
  await rows(
    transaction,
    `update campaign set cancel_requested = true, cancelled_at = :now, pause_reason = null, updated_at = :now,
       status = case when status = 'paused' then 'sending' else status end
     where tenant_id = :tenantId and campaign_id = :campaignId`,
    { ...key, now },
  );
  await endWhatIsOpen(transaction, author, key, now);
}

/**
 * Cancels what is not submitted, and requests the cancellation of the scheduled tasks at the platform, which may come
 * too late for them.
 * @throws Problem `not_found`, `invalid_state` if everything is known to have started sending.
 */
export function cancelCampaign(database: Database, author: Author, id: string, now: Date): Promise<CampaignRecord> {
  return changeState(database, author, id, {
    action: 'cancel',
    now,
    apply: (transaction) => stopSending(transaction, author, { tenantId: author.tenantId, campaignId: id }, now),
  });
}
