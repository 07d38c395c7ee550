import type { Transaction } from '#db/database.ts';
import type { CampaignRecord } from '../campaigns/campaigns.ts';
import { DispatchRow } from '../models/sends.ts';
import { recipientsKept } from '../retention/sends.ts';
import { nothingSent } from './ledger/conditions.ts';

/** States in which another sub-task would be sent automatically. */
const retriable: ReadonlySet<string> = new Set(['scheduled', 'sending', 'partially_failed', 'failed']);

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

/** Whether the campaign's failed sub-tasks may be sent to again. */
export const mayRetry = (campaign: Pick<CampaignRecord, 'status' | 'cancelRequested' | 'pendingEdit'>): boolean =>
  retriable.has(campaign.status) && !campaign.cancelRequested && campaign.pendingEdit === null;
