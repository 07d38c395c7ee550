import { firstRow, type Transaction } from '../../../database.ts';
import type { CampaignRecord } from '../../campaigns/campaigns.ts';
import { Problem } from '../../../../domain/api/problem.ts';
import { type DispatchKey, pauseSending } from '../ledger/ledger.ts';
import { approvalLimit, isStepOfApproved, requestApproval } from './requests.ts';

// A retry reaches contacts of a send that was accepted.
const needsApproval = `
  select d.campaign_id, d.created_by as requested_by, d.audience_count + d.control_count as contacts, t.sends_need_approval as above
  from dispatch d join campaign c using (campaign_id) join tenant t on t.tenant_id = d.tenant_id
  where d.tenant_id = :tenantId and d.dispatch_id = :dispatchId and d.retry_of is null
    and d.audience_count + d.control_count > t.sends_need_approval
    and c.status in ('scheduled', 'sending') and not c.cancel_requested
    and not exists (select 1 from send_approval a where a.campaign_id = d.campaign_id and a.outcome = 'approved')
    and not ${isStepOfApproved('d.campaign_id')}`;

interface Held {
  campaignId: string;
  requestedBy: string;
  contacts: number;
  above: number;
}

/**
 * Pauses a send whose audience has just turned out to be larger than the tenant lets one person send to, unless somebody
 * has approved it. In the transaction that completes its snapshot, so that nothing of it is submitted before.
 */
export async function holdIfLarge(transaction: Transaction, key: DispatchKey, now: Date): Promise<void> {
  const { tenantId, dispatchId } = key;
  const held = await firstRow<Held>(transaction, needsApproval, { tenantId, dispatchId });
  if (!held) return;
  const { campaignId, ...request } = held;
  if (!(await pauseSending(transaction, { tenantId, campaignId, reason: 'approval', now }))) return;
  await requestApproval(transaction, { tenantId, userId: 'service:schedule', requestId: null }, campaignId, {
    ...request,
    dispatchId,
    idempotencyKey: null,
    status: 'paused',
    now,
  });
}

/** @throws Problem `approval_required` for a send that is too large to be changed by one person once it is accepted. */
export async function assertMayChange(
  transaction: Transaction,
  { tenantId, audienceCount, controlCount }: Pick<CampaignRecord, 'tenantId' | 'audienceCount' | 'controlCount'>,
): Promise<void> {
  const limit = await approvalLimit(transaction, tenantId);
  if (limit === null || (audienceCount ?? 0) + (controlCount ?? 0) <= limit) return;
  throw new Problem(
    'approval_required',
    `Sends to more than ${limit} contacts go out as they were approved: cancel it and send a copy`,
  );
}
