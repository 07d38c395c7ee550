import { uuidv7 } from 'uuidv7';
import { rows, type Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import type { Grounds } from '#db/outreach/sends/approval/requests.ts';
import type { CampaignStatus } from '#domain/api/campaign.ts';

export interface ApprovalRequest extends Grounds {
  dispatchId: string | null;
  contacts: number;
  above: number;
  idempotencyKey: string | null;
  requestedBy: string;
  /** The campaign's, while it waits. */
  status: CampaignStatus;
  now: Date;
}

/** Stores a request without an audit entry. */
export async function storeRequest(
  transaction: Transaction,
  { tenantId, campaignId }: CampaignKey,
  { reason, sum, ...request }: Omit<ApprovalRequest, 'status'>,
): Promise<void> {
  await rows(
    transaction,
    `insert into send_approval (approval_id, tenant_id, campaign_id, dispatch_id, contacts, above, asked_for,
       sum_contacts, sum_since, idempotency_key, requested_by, requested_at)
     values (:approvalId, :tenantId, :campaignId, :dispatchId, :contacts, :above, :reason, :sumContacts, :sumSince,
       :idempotencyKey, :requestedBy, :now)`,
    {
      ...request,
      reason,
      sumContacts: sum?.contacts ?? null,
      sumSince: sum?.since ?? null,
      approvalId: uuidv7(),
      tenantId,
      campaignId,
    },
  );
}

/** Stores the request, in the transaction that holds the campaign's lock. */
export async function requestApproval(
  transaction: Transaction,
  author: Author,
  campaignId: string,
  { status, ...request }: ApprovalRequest,
): Promise<void> {
  const { contacts, above, requestedBy, sum } = request;
  await storeRequest(transaction, { tenantId: author.tenantId, campaignId }, request);
  await recordAudit(transaction, author, {
    action: 'campaign.request_approval',
    objectType: 'campaign',
    objectId: campaignId,
    after: { status, contacts, above, requestedBy, ...(sum && { sum }) },
  });
}
