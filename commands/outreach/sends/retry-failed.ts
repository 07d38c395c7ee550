import { type Database, rows, type Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { type CampaignRecord, findCampaign } from '#db/outreach/campaigns/campaigns.ts';
import { isRepeated } from '#db/outreach/sends/dispatches.ts';
import { readSendFacts } from '#db/outreach/sends/facts.ts';
import { failedSubTasks, type First, firstSend } from '#db/outreach/sends/retries.ts';
import { Problem } from '#domain/api/problem.ts';
import { assertPossible } from '#domain/sends/actions.ts';
import { lockCampaign } from '../campaigns/lock-campaign.ts';
import { assertInstalled, type SendRequest } from './dispatches.ts';
import { refreshCampaign } from './ledger/refresh-campaign.ts';
import { replaceSubTasks } from './replace-sub-tasks.ts';
import type { Sent } from './send-campaign.ts';

/** No header can contain a line break, so keys of retries never collide with those of `:send`. */
const keyOf = (idempotencyKey: string | null) => (idempotencyKey === null ? null : `retry\n${idempotencyKey}`);

interface Replaced {
  key: string;
  contactCount: number;
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
    assertPossible('retry', await readSendFacts(transaction, campaign, request.now));
    const failed = await rows<Replaced>(transaction, failedSubTasks, { tenantId, campaignId: id, asked });
    const first = await firstSend(transaction, id);
    if (failed.length === 0 || !first) throw new Problem('invalid_state', 'No sub-task failed with nothing sent');
    const dispatch = await storeRetry(transaction, author, campaign, { replaced: failed, first, request });
    return { campaign: (await findCampaign(transaction, tenantId, id)) ?? campaign, dispatch };
  });
}
