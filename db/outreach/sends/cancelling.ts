import { rows, type Transaction } from '#db/database.ts';
import type { CampaignKey } from './ledger/campaign-key.ts';
import { notTakenOver } from './ledger/conditions.ts';
import { insertChunks } from './splitting.ts';
import { type ArmCounts, cancelArms } from './variants/splitting.ts';

const stopPreparing = `
  update dispatch set frozen_at = :now where tenant_id = :tenantId and campaign_id = :campaignId and frozen_at is null
  returning dispatch_id, frozen_count, audience_count, retry_of, sub_task_size, arm_counts`;

/** One for each sub-task that the retry has not taken over, so that each may still turn out to have been sent. */
const insertNotTakenOver = `
  insert into broadcast_task (key, tenant_id, campaign_id, dispatch_id, chunk, arm, variant, message_case, status, contact_count,
    created_at)
  select gen_random_uuid()::text, t.tenant_id, t.campaign_id, p.dispatch_id,
    (select coalesce(max(chunk), -1) from broadcast_task where dispatch_id = :dispatchId)
      + row_number() over (order by t.key),
    t.arm, t.variant, t.message_case, 'cancelled', t.contact_count, :now::timestamptz
  from dispatch p join broadcast_task t on ${notTakenOver} where p.dispatch_id = :dispatchId`;

interface Stopped {
  dispatchId: string;
  frozenCount: number;
  audienceCount: number;
  retryOf: string | null;
  subTaskSize: number;
  armCounts: ArmCounts | null;
}

/**
 * Nobody else will be sent to: the contacts that are not in a sub-task yet are counted as cancelled, without being
 * looked up. The caller holds the campaign's lock.
 */
export async function cancelPreparing(transaction: Transaction, key: CampaignKey, now: Date): Promise<void> {
  const stopped = await rows<Stopped>(transaction, stopPreparing, { ...key, now });
  for (const { dispatchId, frozenCount: before, audienceCount: total, retryOf, subTaskSize, armCounts } of stopped) {
    const send = { ...key, dispatchId, subTaskSize };
    if (retryOf !== null) await rows(transaction, insertNotTakenOver, { dispatchId, now });
    else if (armCounts) await cancelArms(transaction, send, { frozen: armCounts, unread: total - before, now });
    else await insertChunks(transaction, send, { before, total, now, complete: true, status: 'cancelled' });
  }
}
