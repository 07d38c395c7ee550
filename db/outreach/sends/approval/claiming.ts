import { type Database, firstRow, rows, type Transaction } from '../../../database.ts';
import { integrationActive } from '../../sql-fragments.ts';
import type { CampaignKey } from '../ledger/campaign-key.ts';
import { holdingCampaign } from '../ledger/campaign-lock.ts';
import { firstSendFrozen, maySend } from '../ledger/conditions.ts';
import type { ClaimedSubTask, claimSubTask } from '../ledger/ledger.ts';
import { holdIfLarge } from './holding.ts';

type Claim = typeof claimSubTask;
type Claiming = Parameters<Claim>[1];

const undecided = `
  select c.tenant_id, c.campaign_id from dispatch d join campaign c using (campaign_id)
  where d.tenant_id = :tenantId and d.dispatch_id = :dispatchId and c.first_claimed_at is null
    and ${maySend('c')} and ${firstSendFrozen('c')} and ${integrationActive('c')}`;

const mark = 'update campaign set first_claimed_at = :firstClaimedAt where campaign_id = :campaignId';

/** Decides about the send with its first claim: later than anything that may change whom it goes to. */
async function claimFirst(
  transaction: Transaction,
  { campaignId }: CampaignKey,
  claim: Claim,
  claiming: Claiming,
): Promise<ClaimedSubTask | null> {
  const { now, tenantId, dispatchId } = claiming;
  // Somebody else may have decided while this waited for the lock.
  if (await firstRow<CampaignKey>(transaction, undecided, { tenantId, dispatchId })) {
    if (await holdIfLarge(transaction, { tenantId, campaignId }, now)) return null;
    await rows(transaction, mark, { campaignId, firstClaimedAt: now });
    const claimed = await claim(transaction, claiming);
    if (!claimed) await rows(transaction, mark, { campaignId, firstClaimedAt: null });
    return claimed;
  }
  return await claim(transaction, claiming);
}

/**
 * Claims as `claim` does. The first claim of a campaign decides whether it may go out: without the approval that it needs, it is
 * paused and approval is asked for.
 */
export async function claimApproved(
  database: Database,
  claim: Claim,
  claiming: Claiming,
): Promise<ClaimedSubTask | null> {
  const claimed = await claim(database, claiming);
  if (claimed) return claimed;
  const { tenantId, dispatchId } = claiming;
  const campaign = await firstRow<CampaignKey>(database, undecided, { tenantId, dispatchId });
  if (!campaign) return null;
  return await holdingCampaign(database, campaign, (transaction) => claimFirst(transaction, campaign, claim, claiming));
}
