import type { CampaignStatus } from '../../../domain/api/campaign.ts';
import { Problem } from '../../../domain/api/problem.ts';
import { type Database, rows, type Transaction } from '../../database.ts';
import { type Author, recordAudit } from '../audit/record.ts';
import { type CampaignRecord, findCampaign, lockCampaign } from '../campaigns/campaigns.ts';
import { assertInstalled, isRepeated, type SendRequest, type Sent } from './dispatches.ts';
import { insertSend } from './inserting.ts';
import { freezePage, SUB_TASKS_PER_PAGE } from './freezing.ts';
import { nothingSent } from './ledger/conditions.ts';
import { refreshCampaign } from './ledger/status.ts';
import { DispatchRow } from '../models/sends.ts';
import { recipientsKept } from '../retention/sends.ts';

/** States in which another sub-task would be sent automatically. */
const retriable: ReadonlySet<string> = new Set(['scheduled', 'sending', 'partially_failed', 'failed']);

/** No header can contain a line break, so keys of retries never collide with those of `:send`. */
const keyOf = (idempotencyKey: string | null) => (idempotencyKey === null ? null : `retry\n${idempotencyKey}`);

/**
 * Those from which certainly nobody received anything, and that no later send has replaced. Locked. The platform has
 * just been asked about each that has a task.
 */
const failedSubTasks = `
  select t.key, t.contact_count from broadcast_task t
  where t.tenant_id = :tenantId and t.campaign_id = :campaignId and t.superseded_by is null
    and ${nothingSent} and ${recipientsKept} and (t.task_id is null or t.key = any(:asked)) order by t.key for update`;

interface Replaced {
  key: string;
  contactCount: number;
}

type First = Pick<DispatchRow, 'dispatchId' | 'scheduledAt'>;

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
    counted: { reachableCount: contacts, excluded: { expiredTags: 0, unsubscribed: 0, unreachable: 0 } },
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
    `update campaign set dispatches = :number, updated_at = :now, version = version + 1
     where tenant_id = :tenantId and campaign_id = :campaignId`,
    { ...key, number, now },
  );
  return { dispatchId, number, status: await refreshCampaign(transaction, key, now) };
}

async function storeRetry(
  transaction: Transaction,
  author: Author,
  campaign: CampaignRecord,
  {
    replaced,
    first,
    request,
  }: { replaced: Replaced[]; first: First; request: Pick<SendRequest, 'idempotencyKey' | 'now'> },
): Promise<{ dispatchId: string; number: number }> {
  const { now } = request;
  const contacts = replaced.reduce((sum, { contactCount }) => sum + contactCount, 0);
  const keys = replaced.map(({ key }) => key);
  const { dispatchId, number, status } = await replaceSubTasks(transaction, author, campaign, {
    subTasks: keys.length,
    contacts,
    retryOf: first.dispatchId,
    scheduledAt: first.scheduledAt !== null && first.scheduledAt > now ? first.scheduledAt : null,
    request: { idempotencyKey: keyOf(request.idempotencyKey), now },
    mark: (by) =>
      rows(transaction, 'update broadcast_task set superseded_by = :by where key = any(:keys)', { by, keys }),
  });
  await recordAudit(transaction, author, {
    action: 'campaign.retry',
    objectType: 'campaign',
    objectId: campaign.id,
    before: { status: campaign.status },
    after: { status, dispatchId, retryOf: first.dispatchId, subTasks: keys.length, contacts },
  });
  return { dispatchId, number };
}

export interface RetryRequest extends Pick<SendRequest, 'idempotencyKey' | 'now'> {
  /** Keys of the sub-tasks whose tasks the platform has just been asked about (A2), with the answers stored. */
  asked: string[];
}

/** Whether the campaign's failed sub-tasks may be sent to again. */
export const mayRetry = (campaign: Pick<CampaignRecord, 'status' | 'cancelRequested' | 'pendingEdit'>): boolean =>
  retriable.has(campaign.status) && !campaign.cancelRequested && campaign.pendingEdit === null;

/**
 * Sends to exactly the contacts of sub-tasks that are `rejected`, or `failed` with nothing sent, as a separate send
 * linked to the first; the replaced sub-tasks no longer count. Of several concurrent calls one sends; those with its
 * key get the same result. A sub-task with a task that the platform was not asked about is left for another call.
 * @throws Problem `forbidden`, `not_found`, and `invalid_state` if there is nothing to retry or the campaign may not
 * send.
 */
export function retryFailed(
  database: Database,
  author: Author,
  id: string,
  { asked, ...request }: RetryRequest,
): Promise<Sent> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    await assertInstalled(transaction, tenantId);
    await lockCampaign(transaction, tenantId, id);
    // What the platform has just reported may have changed it.
    await refreshCampaign(transaction, { tenantId, campaignId: id }, request.now);
    const campaign = await lockCampaign(transaction, tenantId, id);
    if (await isRepeated(transaction, id, keyOf(request.idempotencyKey))) return { campaign, dispatch: null };
    if (!mayRetry(campaign))
      throw new Problem('invalid_state', `A campaign that is ${campaign.status} cannot be retried`);
    const failed = await rows<Replaced>(transaction, failedSubTasks, { tenantId, campaignId: id, asked });
    const first = await firstSend(transaction, id);
    if (failed.length === 0 || !first) throw new Problem('invalid_state', 'No sub-task failed with nothing sent');
    const dispatch = await storeRetry(transaction, author, campaign, { replaced: failed, first, request });
    return { campaign: (await findCampaign(transaction, tenantId, id)) ?? campaign, dispatch };
  });
}
