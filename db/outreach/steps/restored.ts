export const pause = `
  update campaign_step s set pause_reason = 'restored', next_look_at = null from campaign c
  where c.campaign_id = s.campaign_id and s.state = 'waiting' and s.next_look_at <= :now
  returning s.tenant_id, s.campaign_id, c.name, s.position`;

export const resume = `
  update campaign_step set pause_reason = null, next_look_at = :now
  where tenant_id = :tenantId and campaign_id = :campaignId and state = 'waiting' and pause_reason is not null
  returning position`;
