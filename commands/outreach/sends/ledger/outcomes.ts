import { uuidv7 } from 'uuidv7';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { keepingDoubt, notFailing } from '#db/outreach/sends/ledger/conditions.ts';
import { pauseSending } from '#db/outreach/sends/ledger/ledger.ts';
import { moveOthers, ours, postponeSql, type Submission } from '#db/outreach/sends/ledger/outcomes.ts';
import type { CallFailure } from '#domain/campaigns/standing.ts';
import type { PlatformTaskStatus } from '#domain/campaigns/states.ts';
import { CONTACTS_ERASED } from '#domain/campaigns/sub-task-errors.ts';
import { resolveAsSent } from './evidence.ts';
import { holdingCampaign } from './holding-campaign.ts';
import { refreshCampaign, refreshCampaignNow } from './refresh-campaign.ts';

export interface Accepted {
  taskId: string;
  estimatedRecipientCount: number | null;
  status: PlatformTaskStatus;
  nextPollAt: Date;
  pollIntervalMs: number;
}

/**
 * The platform has accepted the sub-task. Clicks that were waiting for its taskId become due immediately. A response
 * that comes after an operator has said that it was not sent is evidence of the contrary.
 * @returns false if the sub-task was settled differently in the meantime.
 */
export async function recordAccepted(
  database: Database,
  { campaignId, ...submission }: Submission,
  accepted: Accepted,
): Promise<boolean> {
  const row = await firstRow<{ status: string }>(
    database,
    `with accepted as (
       update broadcast_task set status = :status, status_assumed = true, task_id = :taskId, submitted_at = :now, submitting_since = null,
         estimated_recipient_count = :estimatedRecipientCount, next_poll_at = :nextPollAt,
         poll_interval_ms = :pollIntervalMs, error_code = null, error_message = null, ${notFailing}
       where ${ours} and task_id is null returning campaign_id
     ), woken as (
       update event_inbox set next_attempt_at = :now
       where (tenant_integration_id, event_id) in (select tenant_integration_id, event_id from event_inbox
         where tenant_id = :tenantId and waiting_for = 'task:' || :taskId and status = 'stored' for update skip locked)
     )
     select c.status from accepted join campaign c using (campaign_id)`,
    { ...submission, ...accepted },
  );
  // While the campaign is sending or scheduled, one more submitted sub-task does not change its status.
  if (row && row.status !== 'sending' && row.status !== 'scheduled') {
    const key = { tenantId: submission.tenantId, campaignId };
    await database.transaction((transaction) => refreshCampaign(transaction, key, submission.now));
  }
  if (row) return true;
  const { tenantId, key, now } = submission;
  const found = { taskId: accepted.taskId, status: accepted.status, statusAssumed: true };
  const resolved = await database.transaction((transaction) =>
    resolveAsSent(transaction, { tenantId, key, now }, found),
  );
  return resolved !== null;
}

interface Reason {
  code: string;
  message: string;
}

/** Long responses from the platform are truncated: the message is for people to read. */
const shown = ({ code, message }: Reason) => ({ code: code.slice(0, 100), message: message.slice(0, 1000) });

/** In a transaction that holds the campaign's lock. */
async function settle(
  transaction: Transaction,
  submission: Submission,
  assignments: string,
  more: Record<string, unknown>,
): Promise<boolean> {
  const { tenantId, campaignId, now } = submission;
  const changed = await rows(transaction, `update broadcast_task set ${assignments} where ${ours} returning 1`, {
    ...submission,
    ...more,
  });
  await refreshCampaign(transaction, { tenantId, campaignId }, now);
  return changed.length > 0;
}

const rejected = `status = 'rejected', finished_at = :now, submitting_since = null, error_code = :code,
  error_message = :message, ${notFailing}`;

/** The platform rejected the sub-task for good. */
export function recordRejected(database: Database, submission: Submission, reason: Reason): Promise<boolean> {
  return holdingCampaign(database, submission, (transaction) =>
    settle(transaction, submission, rejected, shown(reason)),
  );
}

/** Everybody in it was erased after the audience had been frozen: nothing is submitted, and a retry leaves it out. */
export function recordErased(database: Database, submission: Submission): Promise<boolean> {
  return recordRejected(database, submission, {
    code: CONTACTS_ERASED,
    message: 'Its contacts were erased before it was submitted',
  });
}

/** It may or may not be at the platform: never resent blindly, and shown as unknown. */
export function recordUnknown(database: Database, submission: Submission, message: string): Promise<boolean> {
  const reason = shown({ code: 'outcome_unknown', message });
  return holdingCampaign(database, submission, (transaction) =>
    settle(
      transaction,
      submission,
      `status = 'unknown', error_code = :code, error_message = :message, ${notFailing}`,
      reason,
    ),
  );
}

/**
 * The platform does not have it, or honours its key; it is due again at `nextAttemptAt`, even after a crash, unless the campaign
 * is cancelled. `failure` is null where the platform was not called.
 */
export async function recordPostponed(
  database: Database,
  { campaignId, tenantId, ...submission }: Submission,
  { nextAttemptAt, failure, ...reason }: Reason & { nextAttemptAt: Date; failure: CallFailure | null },
): Promise<boolean> {
  const bindings = { campaignId, tenantId, ...submission, ...shown(reason), nextAttemptAt, failure };
  const row = await firstRow<{ status: string }>(database, postponeSql, bindings);
  if (row && row.status !== 'pending') await refreshCampaignNow(database, { tenantId, campaignId }, submission.now);
  return row !== null;
}

/** None of our secrets was accepted: the sub-task and its campaign wait until someone fixes that. */
export function recordUnauthorized(database: Database, submission: Submission, message: string): Promise<boolean> {
  const more = shown({ code: 'unauthorized', message });
  return holdingCampaign(database, submission, async (transaction) => {
    const { tenantId, campaignId, now } = submission;
    const changed = await rows(
      transaction,
      `update broadcast_task set status = 'pending', submitting_since = null, submitting_by = null, next_attempt_at = null,
         ${keepingDoubt('broadcast_task', { code: ':code', message: ':message' })}, ${notFailing}
       where ${ours} returning 1`,
      {
        ...submission,
        ...more,
      },
    );
    await pauseSending(transaction, { tenantId, campaignId, reason: 'unauthorized', now });
    await refreshCampaign(transaction, { tenantId, campaignId }, now);
    return changed.length > 0;
  });
}

/**
 * The platform named contacts that it does not know. They stay in this sub-task, which is rejected; the others move
 * to a new one with its own key, since this key was used. If that would move nobody or leave nobody, the whole
 * sub-task is rejected.
 * @returns the key of the new sub-task, or null.
 */
export function splitOffUnknownContacts(
  database: Database,
  submission: Submission,
  { contactIds, ...reason }: Reason & { contactIds: string[] },
): Promise<string | null> {
  const { tenantId } = submission;
  return holdingCampaign(database, submission, async (transaction) => {
    const row = await firstRow<{ dispatchId: string; chunk: number; named: number; others: number }>(
      transaction,
      `select t.dispatch_id, t.chunk,
         (select count(*) from dispatch_recipient r where r.dispatch_id = t.dispatch_id and r.chunk = t.chunk
            and r.contact_id = any(:contactIds)) as named,
         (select count(*) from dispatch_recipient r where r.dispatch_id = t.dispatch_id and r.chunk = t.chunk
            and r.contact_id <> all(:contactIds)) as others
       from broadcast_task t join dispatch d using (dispatch_id)
       where t.tenant_id = :tenantId and t.key = :key and t.submitting_by = :owner
         and t.status in ('submitting', 'unknown') for update of d, t`,
      { tenantId, key: submission.key, owner: submission.owner, contactIds },
    );
    if (!row) return null;
    const newKey = row.named > 0 && row.others > 0 ? uuidv7() : null;
    if (newKey !== null)
      await moveOthers(transaction, { tenantId, key: submission.key, now: submission.now, ...row, contactIds, newKey });
    await settle(transaction, submission, `${rejected}, contact_count = :count`, {
      ...shown(reason),
      count: newKey === null ? row.named + row.others : row.named,
    });
    return newKey;
  });
}
