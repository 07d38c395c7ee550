import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { integrationActive } from '#db/outreach/sql-fragments.ts';
import type { CampaignKey } from '../ledger/campaign-key.ts';
import { firstSendFrozen, maySend } from '../ledger/conditions.ts';
import type { DispatchKey } from '../ledger/ledger.ts';

/** The campaign of a send, if nothing of it was claimed and it may be sent; else null. */
export function findUnclaimed(database: Database, { tenantId, dispatchId }: DispatchKey): Promise<CampaignKey | null> {
  return firstRow<CampaignKey>(
    database,
    `select c.tenant_id, c.campaign_id from dispatch d join campaign c using (campaign_id)
     where d.tenant_id = :tenantId and d.dispatch_id = :dispatchId and c.first_claimed_at is null
       and ${maySend('c')} and ${firstSendFrozen('c')} and ${integrationActive('c')}`,
    { tenantId, dispatchId },
  );
}

/** Notes when the first sub-task of a campaign was claimed; null takes that back. */
export async function markFirstClaimed(
  transaction: Transaction,
  campaignId: string,
  firstClaimedAt: Date | null,
): Promise<void> {
  await rows(transaction, 'update campaign set first_claimed_at = :firstClaimedAt where campaign_id = :campaignId', {
    campaignId,
    firstClaimedAt,
  });
}
