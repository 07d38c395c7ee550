import { integrationActive } from '../../sql-fragments.ts';
import { firstSendFrozen, maySend } from '../ledger/conditions.ts';

export const undecided = `
  select c.tenant_id, c.campaign_id from dispatch d join campaign c using (campaign_id)
  where d.tenant_id = :tenantId and d.dispatch_id = :dispatchId and c.first_claimed_at is null
    and ${maySend('c')} and ${firstSendFrozen('c')} and ${integrationActive('c')}`;

export const mark = 'update campaign set first_claimed_at = :firstClaimedAt where campaign_id = :campaignId';
