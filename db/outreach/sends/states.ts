import { Problem } from '../../../domain/api/problem.ts';
import { type Database, firstRow, rows, type Transaction } from '../../database.ts';
import { type Author, recordAudit } from '../audit/record.ts';
import { type CampaignRecord, findCampaign, lockCampaign } from '../campaigns/campaigns.ts';
import { endApproval } from './approval/requests.ts';
import { closeEdit } from './editing/edits.ts';
import { cancelPreparing } from './cancelling.ts';
import { awaitsChoice, beingEdited } from './ledger/conditions.ts';
import { pauseSending } from './ledger/ledger.ts';
import type { CampaignKey } from './ledger/campaign-key.ts';
import { pollScheduled, refreshCampaign } from './ledger/status.ts';

interface Change {
  action: 'campaign.pause' | 'campaign.resume' | 'campaign.cancel';
  /** Runs with the campaign locked; throws `invalid_state`. */
  apply: (transaction: Transaction, campaign: CampaignRecord) => Promise<void>;
}

/** One state change of a campaign, with its audit row. */
function changeState(
  database: Database,
  author: Author,
  id: string,
  { action, apply }: Change,
): Promise<CampaignRecord> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    const before = await lockCampaign(transaction, tenantId, id);
    await apply(transaction, before);
    const after = await findCampaign(transaction, tenantId, id);
    await recordAudit(transaction, author, {
      action,
      objectType: 'campaign',
      objectId: id,
      before: { status: before.status, pauseReason: before.pauseReason },
      after: { status: after?.status, pauseReason: after?.pauseReason },
    });
    return after ?? before;
  });
}

const invalidState = (campaign: CampaignRecord, what: string) =>
  new Problem('invalid_state', `A campaign that is ${campaign.status} cannot be ${what}`);

/**
 * Stops what is not submitted yet; at most the calls in flight still go out.
 * @throws Problem `not_found`, `invalid_state`.
 */
export function pauseCampaign(database: Database, author: Author, id: string, now: Date): Promise<CampaignRecord> {
  return changeState(database, author, id, {
    action: 'campaign.pause',
    apply: async (transaction, campaign) => {
      if (campaign.status !== 'sending' && campaign.status !== 'scheduled') throw invalidState(campaign, 'paused');
      const key = { tenantId: author.tenantId, campaignId: id };
      if (!(await pauseSending(transaction, { ...key, reason: 'operator', now })))
        throw new Problem('invalid_state', 'Everything is already submitted');
    },
  });
}

/** Makes paused sub-tasks due, late or not. The caller holds the campaign's lock. */
export async function resumeSending(transaction: Transaction, key: CampaignKey, now: Date): Promise<void> {
  await rows(
    transaction,
    `update campaign set status = 'sending', pause_reason = null, updated_at = :now
     where tenant_id = :tenantId and campaign_id = :campaignId`,
    { ...key, now },
  );
  await rows(
    transaction,
    `update broadcast_task set next_attempt_at = null
     where tenant_id = :tenantId and campaign_id = :campaignId and status = 'pending'`,
    { ...key },
  );
  await rows(
    transaction,
    `update dispatch set late_at = :now
     where tenant_id = :tenantId and campaign_id = :campaignId and late_at is null and scheduled_at <= :now`,
    { ...key, now },
  );
  await refreshCampaign(transaction, key, now);
}

/**
 * What was paused is due immediately, even if its time has passed: that is the user's decision here, so the late rule
 * no longer applies.
 * @throws Problem `not_found`, `invalid_state`, and `approval_required` for what another operator has to approve.
 */
export function resumeCampaign(database: Database, author: Author, id: string, now: Date): Promise<CampaignRecord> {
  return changeState(database, author, id, {
    action: 'campaign.resume',
    apply: async (transaction, campaign) => {
      if (campaign.status !== 'paused') throw invalidState(campaign, 'resumed');
      if (campaign.pauseReason === 'approval')
        throw new Problem('approval_required', 'Another operator has to approve this send');
      await resumeSending(transaction, { tenantId: author.tenantId, campaignId: id }, now);
    },
  });
}

/** SQL condition on a sub-task `t`: not known to have begun. What is in flight or unknown can be a scheduled task. */
export const cancellable = `t.status in ('pending', 'scheduled', 'submitting', 'unknown')`;

const anyCancellable = `
  select 1 as found from broadcast_task t
  where t.tenant_id = :tenantId and t.campaign_id = :campaignId and t.superseded_by is null and ${cancellable}
  union all
  select 1 from dispatch where tenant_id = :tenantId and campaign_id = :campaignId and frozen_at is null
  union all
  select 1 from campaign c where tenant_id = :tenantId and campaign_id = :campaignId and ${beingEdited('c')}
  limit 1`;

/** Ends all that is open of a campaign whose row says that nothing more is sent. The caller holds its lock. */
export async function endWhatIsOpen(
  transaction: Transaction,
  author: Author,
  key: CampaignKey,
  now: Date,
): Promise<void> {
  await endApproval(transaction, key, { outcome: 'withdrawn', decidedBy: author.userId, now });
  await closeEdit(transaction, key, { outcome: 'dropped', now });
  await cancelPreparing(transaction, key, now);
  await pollScheduled(transaction, key, now);
  await refreshCampaign(transaction, key, now);
}

/** Cancels pending sub-tasks, and open changes and approvals. The caller holds the campaign's lock. */
export async function stopSending(
  transaction: Transaction,
  author: Author,
  key: CampaignKey,
  now: Date,
): Promise<void> {
  await rows(
    transaction,
    `update campaign set cancel_requested = true, cancelled_at = :now, pause_reason = null, updated_at = :now,
       status = case when status = 'paused' then 'sending' else status end
     where tenant_id = :tenantId and campaign_id = :campaignId`,
    { ...key, now },
  );
  await endWhatIsOpen(transaction, author, key, now);
}

/**
 * Cancels what is not submitted, and requests the cancellation of the scheduled tasks at the platform, which may come
 * too late for them.
 * @throws Problem `not_found`, `invalid_state` if everything is known to have started sending.
 */
export function cancelCampaign(database: Database, author: Author, id: string, now: Date): Promise<CampaignRecord> {
  return changeState(database, author, id, {
    action: 'campaign.cancel',
    apply: async (transaction, campaign) => {
      if (!['sending', 'scheduled', 'paused'].includes(campaign.status)) throw invalidState(campaign, 'cancelled');
      const key = { tenantId: author.tenantId, campaignId: id };
      if (!(await firstRow(transaction, anyCancellable, { ...key })))
        throw new Problem('invalid_state', 'Everything has already started sending');
      await stopSending(transaction, author, key, now);
    },
  });
}

/** Sends of the campaign that still have something to prepare or submit. */
export function openSends(
  database: Database,
  tenantId: string,
  campaignId: string,
): Promise<{ dispatchId: string; number: number }[]> {
  return rows(
    database,
    `select d.dispatch_id, d.number from dispatch d
     where d.tenant_id = :tenantId and d.campaign_id = :campaignId and (d.frozen_at is null or exists (
       select 1 from broadcast_task t where t.dispatch_id = d.dispatch_id and t.status in ('pending', 'submitting')
         and not ${awaitsChoice('t')}))
     order by d.number`,
    { tenantId, campaignId },
  );
}
