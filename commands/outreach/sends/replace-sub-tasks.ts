import { rows, type Transaction } from '#db/database.ts';
import type { Author } from '#db/outreach/audit/record.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { SUB_TASKS_PER_PAGE } from '#db/outreach/sends/freezing.ts';
import { insertSend } from '#db/outreach/sends/inserting.ts';
import { nobodyExcluded } from '#db/outreach/audiences/reach-counts.ts';
import type { CampaignStatus } from '#domain/api/campaign.ts';
import type { SendRequest } from './dispatches.ts';
import { freezePage } from './freeze-page.ts';
import { refreshCampaign } from './ledger/refresh-campaign.ts';

export interface Replacement {
  /** How many sub-tasks are replaced, and how many contacts they have. */
  subTasks: number;
  contacts: number;
  /** The campaign's first send. */
  retryOf: string;
  scheduledAt: Date | null;
  request: Pick<SendRequest, 'idempotencyKey' | 'now'>;
  /** Marks the sub-tasks as replaced by this send. */
  mark: (dispatchId: string) => Promise<unknown>;
}

/**
 * Moves the contacts of sub-tasks to those of a new send, in the transaction that holds the campaign's lock.
 * @returns the send, and the campaign's status.
 */
export async function replaceSubTasks(
  transaction: Transaction,
  author: Author,
  campaign: CampaignRecord,
  { subTasks, contacts, retryOf, scheduledAt, request, mark }: Replacement,
): Promise<{ dispatchId: string; number: number; status: CampaignStatus | null }> {
  const { tenantId } = author;
  const { now } = request;
  const { dispatchId, number } = await insertSend(transaction, author, campaign, {
    counted: { reachableCount: contacts, excluded: nobodyExcluded },
    request,
    scheduledAt,
    freezeAt: now,
    source: null,
    retryOf,
  });
  await mark(dispatchId);
  // Few are taken over at once, many by the send's workflow, page by page.
  if (subTasks < SUB_TASKS_PER_PAGE) await freezePage(transaction, { tenantId, dispatchId }, now);
  const key = { tenantId, campaignId: campaign.id };
  await rows(
    transaction,
    `update campaign set dispatches = :number, updated_at = :now
     where tenant_id = :tenantId and campaign_id = :campaignId`,
    { ...key, number, now },
  );
  return { dispatchId, number, status: await refreshCampaign(transaction, key, now) };
}
