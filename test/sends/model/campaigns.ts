import { rows } from '#db/database.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import type { World } from './state.ts';

/** Campaigns of the tenant that were sent, or wait for approval: that of the world, and what followed from it. */
export function sentCampaigns({ database, tenant: { tenantId } }: World): Promise<CampaignKey[]> {
  return rows<CampaignKey>(
    database,
    `select tenant_id, campaign_id from campaign c where tenant_id = :tenantId and not automation
       and (status <> 'draft' or exists (
         select from send_approval a where a.campaign_id = c.campaign_id and a.outcome is null))
     order by campaign_id`,
    { tenantId },
  );
}

/** Of which campaign each sub-task is. */
export async function campaignsOfKeys({ database, tenant: { tenantId } }: World): Promise<Map<string, string>> {
  const found = await rows<{ key: string; campaignId: string }>(
    database,
    'select key, campaign_id from broadcast_task where tenant_id = :tenantId',
    { tenantId },
  );
  return new Map(found.map(({ key, campaignId }) => [key, campaignId]));
}

/** To whom the first sends of a campaign are, as they were frozen. */
export async function frozenFor({ database }: World, { campaignId }: CampaignKey): Promise<string[]> {
  const found = await rows<{ contactId: string }>(
    database,
    `select r.contact_id from dispatch d join dispatch_recipient r using (dispatch_id)
     where d.campaign_id = :campaignId and d.retry_of is null`,
    { campaignId },
  );
  return found.map(({ contactId }) => contactId);
}
