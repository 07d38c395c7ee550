import type { Transaction } from '#db/database.ts';
import { DispatchRow } from '../models/sends.ts';
import { recipientsKept } from '../retention/sends.ts';
import { nothingSent } from './ledger/conditions.ts';

/**
 * Those from which certainly nobody received anything, and that no later send has replaced. Locked. The platform has
 * just been asked about each that has a task.
 */
export const failedSubTasks = `
  select t.key, t.contact_count from broadcast_task t
  where t.tenant_id = :tenantId and t.campaign_id = :campaignId and t.superseded_by is null
    and ${nothingSent} and ${recipientsKept} and (t.task_id is null or t.key = any(:asked)) order by t.key for update`;

export type First = Pick<DispatchRow, 'dispatchId' | 'scheduledAt'>;

export async function firstSend(transaction: Transaction, campaignId: string): Promise<First | null> {
  const first = await DispatchRow.query(transaction)
    .select('dispatchId', 'scheduledAt')
    .where({ campaignId })
    .whereNull('retryOf')
    .orderBy('number')
    .limit(1)
    .first();
  return first ?? null;
}
