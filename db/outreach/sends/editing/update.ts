export const insertEdit = `
  insert into campaign_edit (edit_id, tenant_id, campaign_id, patch, requested_by, request_id, requested_at)
  values (:editId, :tenantId, :campaignId, :patch::jsonb, :userId, :requestId, :now)`;

// Claims go on until the edit is there to be seen: whatever may still be claimed is marked, too.
export const withdraw = `
  update broadcast_task set withdrawn_for = :editId
  where tenant_id = :tenantId and campaign_id = :campaignId and status in ('pending', 'scheduled', 'submitting')
    and superseded_by is null`;
