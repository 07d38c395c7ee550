import type { ApprovalOutcome } from '#domain/api/campaign.ts';
import { firstRow, rows, type Transaction } from '#db/database.ts';
import type { CampaignKey } from '../ledger/campaign-key.ts';

/** An open request. */
export interface OpenApproval {
  approvalId: string;
  /** The send that is paused for it; null if none is stored yet. */
  dispatchId: string | null;
  contacts: number;
  idempotencyKey: string | null;
  requestedBy: string;
  requestedAt: Date;
}

/** Above how many contacts the tenant's sends need approval; null if they do not. */
export async function approvalLimit(transaction: Transaction, tenantId: string): Promise<number | null> {
  const tenant = await firstRow<{ sendsNeedApproval: number | null }>(
    transaction,
    'select sends_need_approval from tenant where tenant_id = :tenantId',
    { tenantId },
  );
  return tenant?.sendsNeedApproval ?? null;
}

/** SQL condition on a campaign, by its id: somebody has approved the campaign that it follows as a step, and with it its steps. */
export const isStepOfApproved = (campaignId: string) => `exists (
  select 1 from campaign_step f join send_approval o on o.campaign_id = f.campaign_id
  where f.step_campaign_id = ${campaignId} and o.outcome = 'approved')`;

/** Above how many contacts a send of the campaign needs approval; null if it does not, or has it. */
export async function limitOfSend(
  transaction: Transaction,
  { tenantId, campaignId }: CampaignKey,
): Promise<number | null> {
  const limit = await approvalLimit(transaction, tenantId);
  if (limit === null) return null;
  const isApproved = `select 1 as found where ${isStepOfApproved(':campaignId')}`;
  return (await firstRow(transaction, isApproved, { campaignId })) ? null : limit;
}

/** Null if there is none. */
export function openApproval(transaction: Transaction, key: CampaignKey): Promise<OpenApproval | null> {
  return firstRow<OpenApproval>(
    transaction,
    `select approval_id, dispatch_id, contacts, idempotency_key, requested_by, requested_at from send_approval
     where tenant_id = :tenantId and campaign_id = :campaignId and outcome is null`,
    { ...key },
  );
}

/** Whether approval of a send with this key was requested, whatever the decision. */
export async function isAskedFor(transaction: Transaction, key: CampaignKey, idempotencyKey: string | null) {
  if (idempotencyKey === null) return false;
  const found = await firstRow(
    transaction,
    `select 1 as found from send_approval
     where tenant_id = :tenantId and campaign_id = :campaignId and idempotency_key = :idempotencyKey limit 1`,
    { ...key, idempotencyKey },
  );
  return found !== null;
}

/** Why a send needs approval. */
export interface Grounds {
  reason: 'contacts' | 'sum';
  /** Of the latter: how many contacts, the send included, since its person's first. */
  sum: { contacts: number; since: Date } | null;
}

export interface Decision {
  outcome: ApprovalOutcome;
  decidedBy: string;
  reason?: string;
  /** How many contacts were approved, if that was decided. */
  contacts?: number;
  now: Date;
}

/** Ends the open request of a campaign, if it has one. */
export async function endApproval(
  transaction: Transaction,
  key: CampaignKey,
  { outcome, decidedBy, reason, contacts, now }: Decision,
): Promise<void> {
  await rows(
    transaction,
    `update send_approval set outcome = :outcome, decided_by = :decidedBy, decided_at = :now, reason = :reason,
       contacts = coalesce(:contacts, contacts)
     where tenant_id = :tenantId and campaign_id = :campaignId and outcome is null`,
    { ...key, outcome, decidedBy, reason: reason ?? null, contacts: contacts ?? null, now },
  );
}
