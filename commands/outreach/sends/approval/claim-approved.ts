import { type Database, firstRow, rows, type Transaction } from '../../../../db/database.ts';
import { mark, undecided } from '../../../../db/outreach/sends/approval/claiming.ts';
import type { CampaignKey } from '../../../../db/outreach/sends/ledger/campaign-key.ts';
import type { ClaimedSubTask, claimSubTask } from '../../../../db/outreach/sends/ledger/ledger.ts';
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
