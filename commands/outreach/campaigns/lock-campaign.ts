import type { Transaction } from '#db/database.ts';
import { type CampaignRecord, findCampaign } from '#db/outreach/campaigns/campaigns.ts';
import { CampaignRow } from '#db/outreach/models/campaigns.ts';
import { Problem } from '#domain/api/problem.ts';

/**
 * The campaign, locked until the transaction ends: changes to one campaign wait for each other.
 * @throws Problem `not_found`.
 */
export async function lockCampaign(transaction: Transaction, tenantId: string, id: string): Promise<CampaignRecord> {
  // Read after locking: a statement that waited for the lock would return the sums from before.
  await CampaignRow.query(transaction).select('campaignId').findOne({ tenantId, campaignId: id }).forUpdate();
  const row = await findCampaign(transaction, tenantId, id);
  if (!row) throw new Problem('not_found', 'There is no campaign with this id');
  return row;
}
