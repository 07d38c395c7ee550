export interface CampaignKey {
  tenantId: string;
  campaignId: string;
}
