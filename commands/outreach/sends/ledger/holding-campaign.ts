import type { Database, Transaction } from '#db/database.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import { lockCampaigns } from '#db/outreach/sends/ledger/campaign-lock.ts';

/**
 * Runs `work` in a transaction that holds the campaign's lock from its beginning. Whatever changes rows of a
 * campaign's sends and sub-tasks, and anything else of the campaign with them, takes this lock first: two transactions
 * that took them in different orders would wait for each other.
 */
export function holdingCampaign<Result>(
  database: Database,
  key: CampaignKey,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (transaction) => {
    await lockCampaigns(transaction, [key.campaignId]);
    return await work(transaction);
  });
}
