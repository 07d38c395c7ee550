import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** Search attributes on-call staff filter workflows by; names as registered (temporal.config.ts). */
export const tenantIdAttribute = defineSearchAttributeKey('TenantId', SearchAttributeType.KEYWORD);
export const bizStatusAttribute = defineSearchAttributeKey('BizStatus', SearchAttributeType.KEYWORD);
export const campaignIdAttribute = defineSearchAttributeKey('CampaignId', SearchAttributeType.KEYWORD);
export const orderIdAttribute = defineSearchAttributeKey('OrderId', SearchAttributeType.KEYWORD);

/** What visibility stores of a keyword at most; an id from the platform may have one character more. */
const KEYWORD_CHARACTERS = 255;

/** The tenant that a workflow is found by. */
export const tenantAttribute = (tenantId: string) => ({
  key: tenantIdAttribute,
  value: [...tenantId].slice(0, KEYWORD_CHARACTERS).join(''),
});
