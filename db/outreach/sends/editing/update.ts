import { inDoubt } from '../ledger/conditions.ts';

export const undecided = `
  select 1 as found from broadcast_task t
  where t.tenant_id = :tenantId and t.campaign_id = :campaignId and t.superseded_by is null
    and ${inDoubt}
  union all
  select 1 from dispatch where tenant_id = :tenantId and campaign_id = :campaignId and frozen_at is null
    and freeze_at <= :now
  limit 1`;

export const insertEdit = `
  insert into campaign_edit (edit_id, tenant_id, campaign_id, patch, requested_by, request_id, requested_at)
  values (:editId, :tenantId, :campaignId, :patch::jsonb, :userId, :requestId, :now)`;

export const tasksAtPlatform = `
  select 1 as found from broadcast_task
  where tenant_id = :tenantId and campaign_id = :campaignId and status in ('scheduled', 'submitting') and superseded_by is null limit 1`;

export const unsubmitted = `
  select 1 as found from broadcast_task
  where tenant_id = :tenantId and campaign_id = :campaignId and status in ('pending', 'submitting')
  union all
  select 1 from dispatch where tenant_id = :tenantId and campaign_id = :campaignId and frozen_at is null
  limit 1`;

// Claims go on until the edit is there to be seen: whatever may still be claimed is marked, too.
export const withdraw = `
  update broadcast_task set withdrawn_for = :editId
  where tenant_id = :tenantId and campaign_id = :campaignId and status in ('pending', 'scheduled', 'submitting')
    and superseded_by is null`;
