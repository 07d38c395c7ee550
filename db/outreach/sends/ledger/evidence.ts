import { type Database, type Transaction, firstRow, rows } from '../../../database.ts';
import type { DispatchKey } from './ledger.ts';
import { type CampaignKey, refreshCampaign } from './status.ts';

interface Resolution {
  tenantId: string;
  key: string;
  now: Date;
}

/**
 * An `unknown` sub-task has reached the platform after all: a click names its key, or an operator found its task. It
 * is polled immediately.
 * @returns its campaign; null if it is no longer `unknown`.
 */
export async function resolveAsSent(
  transaction: Transaction,
  { taskId, ...resolution }: Resolution & { taskId: string },
): Promise<string | null> {
  const row = await firstRow<{ campaignId: string }>(
    transaction,
    `update broadcast_task set status = 'sending', task_id = :taskId, submitted_at = coalesce(submitting_since, :now),
       submitting_since = null, next_poll_at = :now, poll_interval_ms = null, error_code = null, error_message = null
     where tenant_id = :tenantId and key = :key and status = 'unknown' and task_id is null
     returning campaign_id`,
    { ...resolution, taskId },
  );
  if (row) await refreshCampaign(transaction, { tenantId: resolution.tenantId, ...row }, resolution.now);
  return row?.campaignId ?? null;
}

/**
 * An operator found that the platform never received it: it counts as rejected. Not before `submittedBefore`, while
 * its call could still get its response.
 */
export async function resolveAsNotSent(
  transaction: Transaction,
  { submittedBefore, ...resolution }: Resolution & { submittedBefore: Date },
): Promise<string | null> {
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
  return database.transaction(async (transaction) => {
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
