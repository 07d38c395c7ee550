import type { Database } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { type CampaignRecord, findCampaign } from '#db/outreach/campaigns/campaigns.ts';
import { endApproval } from '#db/outreach/sends/approval/requests.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import { acceptSend } from '../accept-send.ts';
import { assertCounts } from '../dispatches.ts';
import { resumeSending } from '../resume-campaign.ts';
import { type Answer, assertAnother, audited, decide } from './decisions.ts';

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
