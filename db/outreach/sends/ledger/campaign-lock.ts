import { firstRow, rows, type Transaction } from '#db/database.ts';

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
