import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** Search attributes on-call staff filter workflows by; names as registered (temporal.config.ts). */
export const tenantIdAttribute = defineSearchAttributeKey('TenantId', SearchAttributeType.KEYWORD);
export const bizStatusAttribute = defineSearchAttributeKey('BizStatus', SearchAttributeType.KEYWORD);
export const campaignIdAttribute = defineSearchAttributeKey('CampaignId', SearchAttributeType.KEYWORD);
export const orderIdAttribute = defineSearchAttributeKey('OrderId', SearchAttributeType.KEYWORD);
