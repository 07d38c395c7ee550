import { isStepOfApproved } from './requests.ts';

/**
 * SQL: how much larger an audience may turn out to be than the one that was approved, as a fraction: contacts come and go
 * before a start.
 */
const within = (contacts: string, approved: string) => `${contacts}::bigint * 10 <= ${approved}::bigint * 11`;

/** SQL: whom the audience of a send reaches, those left out and held back as well. */
const reached = '(d.audience_count + d.control_count + d.left_out_count)';

// Retries reach contacts of the first send.
export const undecided = `
  select d.dispatch_id, d.created_by as requested_by, ${reached} as contacts, t.sends_need_approval as above
  from campaign c join dispatch d using (campaign_id) join tenant t on t.tenant_id = c.tenant_id
  where c.tenant_id = :tenantId and c.campaign_id = :campaignId and c.first_claimed_at is null and d.retry_of is null
    and t.sends_need_approval is not null and c.status in ('scheduled', 'sending') and not c.cancel_requested
    and not exists (select 1 from send_approval a where a.campaign_id = c.campaign_id and a.outcome = 'approved'
      and ${within(reached, 'a.contacts')})
    and not ${isStepOfApproved('c.campaign_id')}`;
