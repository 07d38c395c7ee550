import { firstRow, rows, type Transaction } from '#db/database.ts';
import { moveContacts } from '../chunks.ts';
import type { CampaignKey } from './campaign-key.ts';
import { failing, isRepeated, keepingDoubt, unsubmitted } from './conditions.ts';

/**
 * One of our own submissions. Its outcome is stored only by the attempt that claimed it, even if that attempt is
 * late: `unknown` then changes to what is known now.
 */
export interface Submission extends CampaignKey {
  key: string;
  owner: string;
  now: Date;
}

export const ours = `tenant_id = :tenantId and key = :key and submitting_by = :owner and status in ('submitting', 'unknown')`;

// The lock lets either this statement see a cancellation, or the cancellation see the sub-task. One that is pending
// again leaves its campaign as it was, so nothing is counted.
export const postponeSql = `
  update broadcast_task t set submitting_since = null, submitting_by = null,
    ${keepingDoubt('t', { code: ':code', message: ':message' })}, ${failing},
    ${unsubmitted('c.cancel_requested', `(${isRepeated('t')} or :code::text = 'ambiguous')`)},
    next_attempt_at = case when c.cancel_requested then null else :nextAttemptAt::timestamptz end
  from (select cancel_requested from campaign
        where tenant_id = :tenantId and campaign_id = :campaignId for share) c
  where ${ours} returning t.status`;

export async function moveOthers(
  transaction: Transaction,
  move: Pick<Submission, 'tenantId' | 'key' | 'now'> & {
    dispatchId: string;
    chunk: number;
    others: number;
    contactIds: string[];
    newKey: string;
  },
): Promise<void> {
  const inserted = await firstRow<{ chunk: number }>(
    transaction,
    `insert into broadcast_task (key, tenant_id, campaign_id, dispatch_id, arm, variant, message_case, chunk, status, contact_count,
       created_at)
     select :newKey, t.tenant_id, t.campaign_id, t.dispatch_id, t.arm, t.variant, t.message_case,
       (select max(chunk) + 1 from broadcast_task where dispatch_id = :dispatchId), 'pending', :others, :now
     from broadcast_task t where t.tenant_id = :tenantId and t.key = :key returning chunk`,
    { ...move },
  );
  if (!inserted) return;
  const { dispatchId, chunk: from, contactIds } = move;
  await rows(
    transaction,
    'update automation_step set sub_task_key = :newKey where sub_task_key = :key and contact_id <> all(:contactIds)',
    { ...move },
  );
  await moveContacts(
    transaction,
    { dispatchId, from, to: inserted.chunk },
    { stay: 'select unnest(:contactIds::text[])', bindings: { contactIds } },
  );
}
