import type { Database, Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { type CampaignRecord, findCampaign } from '#db/outreach/campaigns/campaigns.ts';
import { endApproval, openApproval, type OpenApproval } from '#db/outreach/sends/approval/requests.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import { Problem } from '#domain/api/problem.ts';
import { lockCampaign } from '#commands/outreach/campaigns/lock-campaign.ts';
import { stopSending } from '../cancel-campaign.ts';
import { assertInstalled } from '../dispatches.ts';

export interface Answer {
  approvalId: string;
  now: Date;
}

type Apply = (transaction: Transaction, campaign: CampaignRecord, request: OpenApproval) => Promise<void>;

/** Runs with the campaign locked: of several people who decide at once, one does. */
export function decide(
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

export function assertAnother({ userId }: Author, { requestedBy }: OpenApproval): void {
  if (userId === requestedBy) throw new Problem('own_request', 'Another person has to decide about this send');
}

export const audited = ({ contacts, requestedBy, requestedAt }: OpenApproval, { status }: CampaignRecord) => ({
  status,
  contacts,
  requestedBy,
  requestedAt,
});

/** Ends a request without sending: a draft can be changed again, and a send that is paused is cancelled. */
export async function turnDown(
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
