import { rows, type Transaction } from '#db/database.ts';
import type { CampaignKey } from './campaign-key.ts';
import { beingEdited, isRepeated, unsubmitted, wasSent } from './conditions.ts';

export const lockCampaign = `
  select c.automation, c.status, c.pause_reason, c.cancel_requested, c.ended_by_uninstall, c.cancelled_at, c.dispatches,
    (select d.scheduled_at from dispatch d where d.campaign_id = c.campaign_id order by d.number desc limit 1) as scheduled_at,
    ${beingEdited('c')} or exists (select 1 from dispatch d where d.campaign_id = c.campaign_id and d.frozen_at is null)
      as preparing
  from campaign c where c.tenant_id = :tenantId and c.campaign_id = :campaignId for update of c`;

// Otherwise, a sub-task that came back unsent after the cancellation would stay pending forever.
export const cancelPending = `
  update broadcast_task t set ${unsubmitted('true', isRepeated('t'))}, next_attempt_at = null
  where tenant_id = :tenantId and campaign_id = :campaignId and status = 'pending'`;

export const countSubTasks = `
  select t.status, count(*) as tasks, count(*) filter (where ${wasSent}) as sent from broadcast_task t
  where t.tenant_id = :tenantId and t.campaign_id = :campaignId and t.superseded_by is null group by t.status`;

// Also runs if only the start became known: it is shown while the campaign is still sending. A closed campaign stays
// closed, and ends when the platform has finished what it had started.
export const updateCampaign = `
  update campaign c set status = :status, pause_reason = :pauseReason, cancel_outcome = :cancelOutcome, updated_at = :now,
    started_at = coalesce(t.started_at, c.started_at),
    finished_at = case when :ended then coalesce(t.finished_at, :now) end
  from (select min(started_at) as started_at, max(finished_at) as finished_at from broadcast_task
        where tenant_id = :tenantId and campaign_id = :campaignId) t
  where c.tenant_id = :tenantId and c.campaign_id = :campaignId and c.status <> 'draft'
    and (c.status <> :status or c.pause_reason is distinct from :pauseReason
      or c.cancel_outcome is distinct from :cancelOutcome
      or (c.started_at is null and t.started_at is not null) or (c.finished_at is null and :ended))`;

/** Makes the campaign's scheduled tasks due for polling, which cancels them at the platform. */
export async function pollScheduled(transaction: Transaction, key: CampaignKey, now: Date): Promise<void> {
  await rows(
    transaction,
    `update broadcast_task set next_poll_at = :now
     where tenant_id = :tenantId and campaign_id = :campaignId and status = 'scheduled'`,
    { ...key, now },
  );
}
