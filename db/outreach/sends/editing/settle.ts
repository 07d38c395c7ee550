import { inDoubt, wasSent } from '../ledger/conditions.ts';

/** SQL condition on a sub-task `t` and its edit `e`: it was cancelled for it, and its contacts are in no other yet. */
const withdrawn = `t.withdrawn_for = e.edit_id and t.status = 'cancelled' and t.superseded_by is null`;

export const somethingToSettle = `
  select 1 as found from campaign_edit e
  where e.tenant_id = :tenantId and e.campaign_id = :campaignId and (e.outcome is null or e.outcome = 'too_late'
    and exists (select 1 from broadcast_task t where t.campaign_id = e.campaign_id and ${withdrawn})) limit 1`;

// Locked, so that a claim that began before the edit is seen.
export const countTasks = `
  select count(*) filter (where t.status in ('scheduled', 'submitting')) as waiting,
    count(*) filter (where ${wasSent} or ${inDoubt}) as begun
  from (select * from broadcast_task where tenant_id = :tenantId and campaign_id = :campaignId
    and superseded_by is null order by key for update) t`;

export const cancelPending = `
  update broadcast_task set status = 'cancelled', finished_at = :now, next_attempt_at = null, withdrawn_for = :editId
  where tenant_id = :tenantId and campaign_id = :campaignId and status = 'pending' and superseded_by is null`;

export const keepPending = `
  update broadcast_task set withdrawn_for = null
  where tenant_id = :tenantId and campaign_id = :campaignId and status = 'pending' and withdrawn_for = :editId`;

export const countWithdrawn = `
  select count(*) as sub_tasks, coalesce(sum(t.contact_count), 0) as contacts from broadcast_task t
  join campaign_edit e on ${withdrawn} where t.tenant_id = :tenantId and t.campaign_id = :campaignId`;

export const markReplaced = `
  update broadcast_task t set superseded_by = :by from campaign_edit e
  where t.tenant_id = :tenantId and t.campaign_id = :campaignId and ${withdrawn}`;
