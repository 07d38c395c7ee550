import { Problem } from '../../../../domain/api/problem.ts';
import type { Database, Transaction } from '../../../database.ts';
import { type Author, recordAudit } from '../../audit/record.ts';
import { type CampaignRecord, findCampaign, lockCampaign } from '../../campaigns/campaigns.ts';
import { acceptSend, assertCounts, assertInstalled } from '../dispatches.ts';
import type { CampaignKey } from '../ledger/campaign-key.ts';
import { stopSending, resumeSending } from '../states.ts';
import { endApproval, type OpenApproval, openApproval } from './requests.ts';

export interface Answer {
  approvalId: string;
  now: Date;
}

type Apply = (transaction: Transaction, campaign: CampaignRecord, request: OpenApproval) => Promise<void>;

/** Runs with the campaign locked: of several people who decide at once, one does. */
function decide(
  database: Database,
  author: Author,
  id: string,
  { approvalId, apply }: Pick<Answer, 'approvalId'> & { apply: Apply },
): Promise<CampaignRecord> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    await assertInstalled(transaction, tenantId);
    const campaign = await lockCampaign(transaction, tenantId, id);
    const request = await openApproval(transaction, { tenantId, campaignId: id });
    if (request?.approvalId !== approvalId)
      throw new Problem('invalid_state', 'This request for approval was decided about or withdrawn');
    await apply(transaction, campaign, request);
    return (await findCampaign(transaction, tenantId, id)) ?? campaign;
  });
}

function assertAnother({ userId }: Author, { requestedBy }: OpenApproval): void {
  if (userId === requestedBy) throw new Problem('own_request', 'Another person has to decide about this send');
}

const audited = ({ contacts, requestedBy, requestedAt }: OpenApproval, { status }: CampaignRecord) => ({
  status,
  contacts,
  requestedBy,
  requestedAt,
});

/**
 * Approves a send and starts it: a draft is sent in the name of who asked, and one that is paused goes on, late or not.
 * @returns the campaign, and the send if a new one was stored.
 * @throws Problem `forbidden`, `own_request`, `not_found`, `invalid_state`, and what a send is refused with.
 */
export async function approveSend(
  database: Database,
  author: Author,
  id: string,
  { approvalId, expectedReachableCount, now }: Answer & { expectedReachableCount: number | null },
): Promise<CampaignRecord> {
  const key: CampaignKey = { tenantId: author.tenantId, campaignId: id };
  return await decide(database, author, id, {
    approvalId,
    apply: async (transaction, campaign, request) => {
      assertAnother(author, request);
      const expected = expectedReachableCount ?? request.contacts;
      const { idempotencyKey, requestedBy } = request;
      await endApproval(transaction, key, { outcome: 'approved', decidedBy: author.userId, contacts: expected, now });
      if (request.dispatchId === null)
        await acceptSend(transaction, author, campaign, {
          request: { idempotencyKey, expectedReachableCount: expected, now },
          confirmedBy: requestedBy,
        });
      else {
        assertCounts({ reachableCount: request.contacts }, expected);
        await resumeSending(transaction, key, now);
      }
      const after = await findCampaign(transaction, author.tenantId, id);
      await recordAudit(transaction, author, {
        action: 'campaign.approve',
        objectType: 'campaign',
        objectId: id,
        before: audited(request, campaign),
        after: { status: after?.status, contacts: expected, approvedBy: author.userId },
      });
    },
  });
}

/** Ends a request without sending: a draft can be changed again, and a send that is paused is cancelled. */
async function turnDown(
  transaction: Transaction,
  author: Author,
  { campaign, request, reason, now }: { campaign: CampaignRecord; request: OpenApproval; reason?: string; now: Date },
): Promise<void> {
  const key: CampaignKey = { tenantId: author.tenantId, campaignId: campaign.id };
  const outcome = reason === undefined ? 'withdrawn' : 'rejected';
  await endApproval(transaction, key, { outcome, decidedBy: author.userId, ...(reason && { reason }), now });
  if (request.dispatchId !== null) await stopSending(transaction, author, key, now);
  const after = await findCampaign(transaction, author.tenantId, campaign.id);
  await recordAudit(transaction, author, {
    action: outcome === 'rejected' ? 'campaign.reject' : 'campaign.withdraw',
    objectType: 'campaign',
    objectId: campaign.id,
    before: audited(request, campaign),
    after: { status: after?.status, ...(reason && { reason, rejectedBy: author.userId }) },
  });
}

/** @throws Problem `forbidden`, `own_request`, `not_found`, `invalid_state`. */
export function rejectSend(
  database: Database,
  author: Author,
  id: string,
  { approvalId, reason, now }: Answer & { reason: string },
): Promise<CampaignRecord> {
  return decide(database, author, id, {
    approvalId,
    apply: async (transaction, campaign, request) => {
      assertAnother(author, request);
      await turnDown(transaction, author, { campaign, request, reason, now });
    },
  });
}

/** @throws Problem `forbidden` for anybody but who asked, `not_found`, `invalid_state`. */
export function withdrawSend(
  database: Database,
  author: Author,
  id: string,
  { approvalId, now }: Answer,
): Promise<CampaignRecord> {
  return decide(database, author, id, {
    approvalId,
    apply: async (transaction, campaign, request) => {
      if (author.userId !== request.requestedBy)
        throw new Problem('forbidden', 'Only the person who asked for approval can withdraw the request');
      await turnDown(transaction, author, { campaign, request, now });
    },
  });
}
