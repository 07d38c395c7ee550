import type { CampaignStatus, PauseReason, SubTaskStatus } from '../../../../domain/api/campaign.ts';
import { cancelOutcomeOf, deriveStatus, isOpen } from '../../../../domain/campaigns/states.ts';
import { type Database, type Transaction, firstRow, rows } from '../../../database.ts';
import type { CampaignKey } from './campaign-key.ts';
import { beingEdited, isRepeated, unsubmitted, wasSent } from './conditions.ts';
import { settleOvertaken } from './overtaken.ts';

interface LockedCampaign {
  status: CampaignStatus;
  pauseReason: PauseReason | null;
  cancelRequested: boolean;
  endedByUninstall: boolean;
  cancelledAt: Date | null;
  dispatches: number;
  scheduledAt: Date | null;
  preparing: boolean;
}

const lockCampaign = `
  select c.status, c.pause_reason, c.cancel_requested, c.ended_by_uninstall, c.cancelled_at, c.dispatches,
    (select d.scheduled_at from dispatch d where d.campaign_id = c.campaign_id order by d.number desc limit 1) as scheduled_at,
    ${beingEdited('c')} or exists (select 1 from dispatch d where d.campaign_id = c.campaign_id and d.frozen_at is null)
      as preparing
  from campaign c where c.tenant_id = :tenantId and c.campaign_id = :campaignId for update of c`;

// Otherwise, a sub-task that came back unsent after the cancellation would stay pending forever.
const cancelPending = `
  update broadcast_task t set ${unsubmitted('true', isRepeated('t'))}, next_attempt_at = null
  where tenant_id = :tenantId and campaign_id = :campaignId and status = 'pending'`;

interface StatusCount {
  status: SubTaskStatus;
  tasks: number;
  sent: number;
}

const countSubTasks = `
  select t.status, count(*) as tasks, count(*) filter (where ${wasSent}) as sent from broadcast_task t
  where t.tenant_id = :tenantId and t.campaign_id = :campaignId and t.superseded_by is null group by t.status`;

// Also runs if only the start became known: it is shown while the campaign is still sending. A closed campaign stays
// closed, and ends when the platform has finished what it had started.
const updateCampaign = `
  update campaign c set status = :status, pause_reason = :pauseReason, cancel_outcome = :cancelOutcome, updated_at = :now,
    started_at = coalesce(t.started_at, c.started_at),
    finished_at = case when :ended then coalesce(t.finished_at, :now) end
  from (select min(started_at) as started_at, max(finished_at) as finished_at from broadcast_task
        where tenant_id = :tenantId and campaign_id = :campaignId) t
  where c.tenant_id = :tenantId and c.campaign_id = :campaignId and c.status <> 'draft'
    and (c.status <> :status or c.pause_reason is distinct from :pauseReason
      or c.cancel_outcome is distinct from :cancelOutcome
      or (c.started_at is null and t.started_at is not null) or (c.finished_at is null and :ended))`;

const endedStatuses = new Set<CampaignStatus>(['completed', 'partially_failed', 'failed', 'cancelled']);

/**
 * Derives the campaign's status from its sub-tasks, in the transaction that changed them. Transactions of one
 * campaign wait for each other here, so that the last of them sees the changes of all.
 * @returns the status; null if there is no such campaign.
 */
export async function refreshCampaign(
  transaction: Transaction,
  key: CampaignKey,
  now: Date,
): Promise<CampaignStatus | null> {
  const campaign = await firstRow<LockedCampaign>(transaction, lockCampaign, { ...key });
  if (!campaign) return null;
  if (campaign.cancelRequested) await transaction.raw(cancelPending, { ...key, now });
  if (campaign.dispatches > 1) await settleOvertaken(transaction, key, now);
  const counts = await rows<StatusCount>(transaction, countSubTasks, { ...key });
  const subTasks = Object.fromEntries(counts.map(({ status, tasks }) => [status, tasks]));
  const beforeStart = campaign.scheduledAt !== null && campaign.scheduledAt > now;
  const derived = deriveStatus({ ...campaign, beforeStart, subTasks });
  const sent = counts.reduce((sum, count) => sum + count.sent, 0);
  const cancelOutcome = campaign.cancelledAt && cancelOutcomeOf({ subTasks, sent });
  const open = campaign.preparing || counts.some(({ status }) => isOpen(status));
  const ended = derived.status === 'closed' ? !open : endedStatuses.has(derived.status);
  await rows(transaction, updateCampaign, { ...key, ...derived, cancelOutcome, ended, now });
  return derived.status;
}

/** refreshCampaign in its own transaction. */
export function refreshCampaignNow(database: Database, key: CampaignKey, now: Date): Promise<CampaignStatus | null> {
  return database.transaction((transaction) => refreshCampaign(transaction, key, now));
}

/** Makes the campaign's scheduled tasks due for polling, which cancels them at the platform. */
export async function pollScheduled(transaction: Transaction, key: CampaignKey, now: Date): Promise<void> {
  await rows(
    transaction,
    `update broadcast_task set next_poll_at = :now
     where tenant_id = :tenantId and campaign_id = :campaignId and status = 'scheduled'`,
    { ...key, now },
  );
}
