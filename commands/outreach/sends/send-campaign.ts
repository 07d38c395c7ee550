import type { Database, Transaction } from '#db/database.ts';
import type { Author } from '#db/outreach/audit/record.ts';
import { type CampaignRecord, findCampaign } from '#db/outreach/campaigns/campaigns.ts';
import { isAskedFor, limitOfSend } from '#db/outreach/sends/approval/requests.ts';
import { groundsForApproval } from '#db/outreach/sends/approval/sum.ts';
import { isRepeated } from '#db/outreach/sends/dispatches.ts';
import { readSendFacts } from '#db/outreach/sends/facts.ts';
import { assertPossible } from '#domain/sends/actions.ts';
import type { RevisionCheck } from '../revision-check.ts';
import { lockCampaign } from '../campaigns/lock-campaign.ts';
import { acceptSend } from './accept-send.ts';
import { requestApproval } from './approval/request-approval.ts';
import { assertInstalled, type SendRequest } from './dispatches.ts';

export interface Sent {
  campaign: CampaignRecord;
  /** Null if this key was already sent, or waits for approval: no send was stored. */
  dispatch: { dispatchId: string; number: number } | null;
}

/**
 * Stores the send, or only that it was asked for if it reaches more contacts than one person may send to: how many is
 * known once they are frozen, which is then taken back.
 * @returns the send; null if it waits for approval.
 */
async function sendOrAsk(
  transaction: Transaction,
  author: Author,
  campaign: CampaignRecord,
  request: SendRequest,
): Promise<Sent['dispatch']> {
  const confirmed = { request, confirmedBy: author.userId };
  const above = await limitOfSend(transaction, { tenantId: author.tenantId, campaignId: campaign.id });
  if (above === null) {
    const { dispatchId, number } = await acceptSend(transaction, author, campaign, confirmed);
    return { dispatchId, number };
  }
  const savepoint = await transaction.transaction();
  const send = await acceptSend(savepoint, author, campaign, confirmed).catch(async (error: unknown) => {
    await savepoint.rollback();
    throw error;
  });
  const key = { tenantId: author.tenantId, campaignId: campaign.id };
  const asked = { contacts: send.reachableCount, above, person: author.userId, now: request.now };
  const grounds = await groundsForApproval(transaction, key, asked);
  if (!grounds) {
    await savepoint.commit();
    return { dispatchId: send.dispatchId, number: send.number };
  }
  await savepoint.rollback();
  await requestApproval(transaction, author, campaign.id, {
    ...grounds,
    dispatchId: null,
    contacts: send.reachableCount,
    above,
    idempotencyKey: request.idempotencyKey,
    requestedBy: author.userId,
    status: campaign.status,
    now: request.now,
  });
  return null;
}

/**
 * Stores the send of a draft: all or nothing. Of several concurrent calls one sends; those with its key get the same
 * result.
 * @throws Problem `forbidden`, `not_found`, `invalid_state`, `stale`, `audience_changed`, `audience_empty`,
 * `invalid_content`.
 */
export function sendCampaign(
  database: Database,
  author: Author,
  id: string,
  { checkRevision, ...request }: SendRequest & { checkRevision?: RevisionCheck },
): Promise<Sent> {
  const { tenantId } = author;
  const key = { tenantId, campaignId: id };
  return database.transaction(async (transaction) => {
    await assertInstalled(transaction, tenantId);
    const campaign = await lockCampaign(transaction, tenantId, id);
    if (await isRepeated(transaction, id, request.idempotencyKey)) return { campaign, dispatch: null };
    if (await isAskedFor(transaction, key, request.idempotencyKey)) return { campaign, dispatch: null };
    assertPossible('send', await readSendFacts(transaction, campaign, request.now));
    checkRevision?.(campaign.revision);
    const dispatch = await sendOrAsk(transaction, author, campaign, request);
    const after = await findCampaign(transaction, tenantId, id);
    return { campaign: after ?? campaign, dispatch };
  });
}
