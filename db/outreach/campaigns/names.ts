import { type Database, firstRow } from '#db/database.ts';

export interface CampaignNames {
  campaign: string;
  tenant: string;
}

/** What people call a campaign and its tenant; null if the tenant has no such campaign. */
export function findCampaignNames(
  database: Database,
  { tenantId, campaignId }: { tenantId: string; campaignId: string },
): Promise<CampaignNames | null> {
  return firstRow<CampaignNames>(
    database,
    `select c.name as campaign, t.name as tenant from campaign c join tenant t using (tenant_id)
     where c.tenant_id = :tenantId and c.campaign_id = :campaignId`,
    { tenantId, campaignId },
  );
}
