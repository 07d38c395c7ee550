import { firstRow, type Transaction } from '../../../database.ts';
import type { CampaignRecord } from '../../campaigns/campaigns.ts';
import { Problem } from '../../../../domain/api/problem.ts';
import type { CampaignKey } from '../ledger/campaign-key.ts';
import { pauseSending } from '../ledger/ledger.ts';
import { approvalLimit, isStepOfApproved, requestApproval } from './requests.ts';
import { decideOneByOne, groundsForApproval } from './sum.ts';

/**
 * SQL: how much larger an audience may turn out to be than the one that was approved, as a fraction: contacts come and go
 * before a start.
 */
const within = (contacts: string, approved: string) => `${contacts}::bigint * 10 <= ${approved}::bigint * 11`;

// Retries reach contacts of the first send.
const undecided = `
  select d.dispatch_id, d.created_by as requested_by, d.audience_count + d.control_count as contacts, t.sends_need_approval as above
  from campaign c join dispatch d using (campaign_id) join tenant t on t.tenant_id = c.tenant_id
  where c.tenant_id = :tenantId and c.campaign_id = :campaignId and c.first_claimed_at is null and d.retry_of is null
    and t.sends_need_approval is not null and c.status in ('scheduled', 'sending') and not c.cancel_requested
    and not exists (select 1 from send_approval a where a.campaign_id = c.campaign_id and a.outcome = 'approved'
      and ${within('(d.audience_count + d.control_count)', 'a.contacts')})
    and not ${isStepOfApproved('c.campaign_id')}`;

interface Held {
  dispatchId: string;
  requestedBy: string;
  contacts: number;
  above: number;
}

/**
 * Pauses a campaign of which nothing was claimed, and whose audience is larger than the tenant lets one person send to, by itself
 * or with what that person has sent within a day, unless somebody has approved one of about that size. The caller holds its lock.
 * @returns whether it is paused for that now.
 */
export async function holdIfLarge(transaction: Transaction, key: CampaignKey, now: Date): Promise<boolean> {
  const { tenantId, campaignId } = key;
  const held = await firstRow<Held>(transaction, undecided, { tenantId, campaignId });
  if (!held) return false;
  await decideOneByOne(transaction, tenantId);
  const grounds = await groundsForApproval(
    transaction,
    { tenantId, campaignId },
    { ...held, person: held.requestedBy, now },
  );
  if (!grounds || !(await pauseSending(transaction, { tenantId, campaignId, reason: 'approval', now }))) return false;
  await requestApproval(transaction, { tenantId, userId: 'service:schedule', requestId: null }, campaignId, {
    ...held,
    ...grounds,
    idempotencyKey: null,
    status: 'paused',
    now,
  });
  return true;
}

/** @throws Problem `approval_required` for a send that is too large to be changed by one person once it is accepted. */
export async function assertMayChange(
  transaction: Transaction,
  {
    tenantId,
    audienceCount,
    controlCount,
    approval,
  }: Pick<CampaignRecord, 'tenantId' | 'audienceCount' | 'controlCount' | 'approval'>,
): Promise<void> {
  const limit = await approvalLimit(transaction, tenantId);
  if (limit === null) return;
  if ((audienceCount ?? 0) + (controlCount ?? 0) <= limit && approval?.outcome !== 'approved') return;
  throw new Problem(
    'approval_required',
    'Sends that need approval go out as they were approved: cancel it and send a copy',
  );
}
