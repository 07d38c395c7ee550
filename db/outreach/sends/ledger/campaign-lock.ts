import { type Database, firstRow, rows, type Transaction } from '../../../database.ts';
import type { CampaignKey } from './campaign-key.ts';

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

/** Locks several campaigns in the order in which everybody does. */
export async function lockCampaigns(transaction: Transaction, campaignIds: string[]): Promise<void> {
  if (campaignIds.length === 0) return;
  await rows(
    transaction,
    `select 1 from campaign where campaign_id = any(:campaignIds) order by campaign_id for update`,
    {
      campaignIds,
    },
  );
}

/** Locks the campaign of a sub-task. Null if there is no such sub-task. */
export async function lockCampaignOf(
  transaction: Transaction,
  { tenantId, key }: { tenantId: string; key: string },
): Promise<string | null> {
  const row = await firstRow<{ campaignId: string }>(
    transaction,
    `select campaign_id from campaign where tenant_id = :tenantId
       and campaign_id = (select campaign_id from broadcast_task where tenant_id = :tenantId and key = :key)
     for update`,
    { tenantId, key },
  );
  return row?.campaignId ?? null;
}

/** Locks the campaign of a send. */
export async function lockCampaignOfSend(
  transaction: Transaction,
  { tenantId, dispatchId }: { tenantId: string; dispatchId: string },
): Promise<void> {
  await rows(
    transaction,
    `select 1 from campaign where tenant_id = :tenantId
       and campaign_id = (select campaign_id from dispatch where dispatch_id = :dispatchId) for update`,
    { tenantId, dispatchId },
  );
}
