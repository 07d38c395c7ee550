import { REST_ARM } from '#domain/campaigns/variants/variants.ts';

/** The actor of automatic choices. */
export const CHOSEN_BY_TEST = 'service:variants';

// The one statement that decides: only the first choice finds a test without one, and with it the rest becomes due. Whoever
// chooses decides about its time, too, so the late rule no longer applies.
export const chooseSql = `
  with choice as (
    update variant_test v set chosen = :variant, chosen_at = :now, chosen_by = :userId, proven = :proven,
      compared = :compared::jsonb, next_look_at = null
    from campaign c
    where v.tenant_id = :tenantId and v.campaign_id = :campaignId and v.chosen is null and c.campaign_id = v.campaign_id
      and c.status in ('sending', 'scheduled', 'paused') and not c.cancel_requested
      and not exists (select 1 from dispatch d where d.campaign_id = c.campaign_id and d.frozen_at is null)
      and exists (select 1 from broadcast_task t where t.campaign_id = c.campaign_id and t.status = 'pending'
        and t.arm = ${REST_ARM} and t.variant is null)
    returning v.campaign_id
  ), released as (
    update broadcast_task t set variant = :variant from choice
    where t.campaign_id = choice.campaign_id and t.arm = ${REST_ARM} and t.variant is null
    returning t.status, t.contact_count
  ), begun as (
    update dispatch d set late_at = coalesce(d.late_at, :now) from choice
    where d.campaign_id = choice.campaign_id and d.scheduled_at <= :now
  ), touched as (
    update campaign c set updated_at = :now from choice where c.campaign_id = choice.campaign_id
  )
  select coalesce(sum(contact_count) filter (where status = 'pending'), 0)::int as contacts from released
  having exists (select 1 from choice)`;
