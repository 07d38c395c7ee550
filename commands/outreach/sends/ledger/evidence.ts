import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { wakeWaiting } from '#db/outreach/inbox/batch.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import { lockCampaignOf } from '#db/outreach/sends/ledger/campaign-lock.ts';
import type { FoundTask, TaskCounts } from '#db/outreach/sends/ledger/evidence.ts';
import type { DispatchKey } from '#db/outreach/sends/ledger/ledger.ts';
import { hasEnded } from '#domain/campaigns/states.ts';
import { ALREADY_SENT } from '#domain/campaigns/sub-task-errors.ts';
import { holdingCampaign } from './holding-campaign.ts';
import { refreshCampaign } from './refresh-campaign.ts';

interface Resolution {
  tenantId: string;
  key: string;
  now: Date;
}

const noCounts: TaskCounts = { recipientCount: null, sent: null, delivered: null, failed: null, read: null };

/**
 * A sub-task in doubt has reached the platform after all: a click or a late response names its key, or an operator
 * found its task. Nobody knew what became of it, or an operator had said that it was not sent, even if a retry has
 * taken its contacts over since or another sub-task turned out to have been sent to them; a click also shows that of
 * one that failed with nothing sent. It is polled immediately, and clicks that waited for its task become due.
 * @returns its campaign; null if it is not in doubt.
 */
export async function resolveAsSent(
  transaction: Transaction,
  resolution: Resolution,
  { counts = noCounts, ...found }: FoundTask,
): Promise<string | null> {
  const { tenantId, now } = resolution;
  const campaignId = await lockCampaignOf(transaction, resolution);
  if (campaignId === null) return null;
  const changed = await rows(
    transaction,
    `update broadcast_task set status = :status, status_assumed = :statusAssumed, task_id = :taskId, reached = reached or :reached,
       submitted_at = coalesce(submitted_at, submitting_since, :now), submitting_since = null,
       recipient_count = coalesce(:recipientCount, recipient_count), sent = coalesce(:sent, sent),
       delivered = coalesce(:delivered, delivered), failed = coalesce(:failed, failed), read = coalesce(:read, read),
       finished_at = case when :ended then :now::timestamptz end, next_poll_at = :now, poll_interval_ms = null,
       poll_until = null, not_found_since = null, error_code = null, error_message = null
     where tenant_id = :tenantId and key = :key
       and (status = 'unknown' or (status = 'rejected' and error_code in ('not_sent', '${ALREADY_SENT}'))
         or (status = 'failed' and sent = 0 and :reached and not reached))
     returning 1`,
    { ...resolution, ...counts, reached: false, ...found, ended: hasEnded(found.status) },
  );
  if (changed.length === 0) return null;
  await wakeWaiting(transaction, [{ tenantId, for: `task:${found.taskId}` }], now);
  await refreshCampaign(transaction, { tenantId, campaignId }, now);
  return campaignId;
}

/**
 * An operator found that the platform never received it, or has lost it without sending it: it counts as rejected. A
 * task id that is known is polled on, in case the operator is wrong. Not before `submittedBefore`, while its call
 * could still get its response.
 */
export async function resolveAsNotSent(
  transaction: Transaction,
  { submittedBefore, ...resolution }: Resolution & { submittedBefore: Date },
): Promise<string | null> {
  await lockCampaignOf(transaction, resolution);
  const row = await firstRow<{ campaignId: string }>(
    transaction,
    `update broadcast_task set status = 'rejected', finished_at = :now, submitting_since = null,
       error_code = 'not_sent', error_message = 'An operator found that it was not sent'
     where tenant_id = :tenantId and key = :key and status = 'unknown'
       and coalesce(submitting_since, :submittedBefore) <= :submittedBefore
     returning campaign_id`,
    { ...resolution, submittedBefore },
  );
  if (row) await refreshCampaign(transaction, { tenantId: resolution.tenantId, ...row }, resolution.now);
  return row?.campaignId ?? null;
}

/** Nothing in this send can be submitted, whatever is tried: its pending sub-tasks are rejected. */
export function rejectPending(
  database: Database,
  { campaignId, now, code, message, ...key }: DispatchKey & CampaignKey & { now: Date; code: string; message: string },
): Promise<number> {
  return holdingCampaign(database, { tenantId: key.tenantId, campaignId }, async (transaction) => {
    const changed = await rows(
      transaction,
      `update broadcast_task set status = 'rejected', finished_at = :now, next_attempt_at = null, error_code = :code,
         error_message = :message
       where tenant_id = :tenantId and dispatch_id = :dispatchId and status = 'pending' returning 1`,
      { ...key, now, code: code.slice(0, 100), message: message.slice(0, 1000) },
    );
    await refreshCampaign(transaction, { tenantId: key.tenantId, campaignId }, now);
    return changed.length;
  });
}
