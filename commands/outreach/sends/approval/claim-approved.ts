import type { Database, Transaction } from '#db/database.ts';
import { findUnclaimed, markFirstClaimed } from '#db/outreach/sends/approval/claiming.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import type { ClaimedSubTask, claimSubTask } from '#db/outreach/sends/ledger/ledger.ts';
import { holdingCampaign } from '../ledger/holding-campaign.ts';
import { holdIfLarge } from './hold-if-large.ts';

type Claim = typeof claimSubTask;

type Claiming = Parameters<Claim>[1];

/** Decides about the send with its first claim: later than anything that may change whom it goes to. */
async function claimFirst(
  transaction: Transaction,
  { campaignId }: CampaignKey,
  claim: Claim,
  claiming: Claiming,
): Promise<ClaimedSubTask | null> {
  const { now, tenantId } = claiming;
  // Somebody else may have decided while this waited for the lock.
  if (await findUnclaimed(transaction, claiming)) {
    if (await holdIfLarge(transaction, { tenantId, campaignId }, now)) return null;
    await markFirstClaimed(transaction, campaignId, now);
    const claimed = await claim(transaction, claiming);
    if (!claimed) await markFirstClaimed(transaction, campaignId, null);
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
  const campaign = await findUnclaimed(database, claiming);
  if (!campaign) return null;
  return await holdingCampaign(database, campaign, (transaction) => claimFirst(transaction, campaign, claim, claiming));
}
