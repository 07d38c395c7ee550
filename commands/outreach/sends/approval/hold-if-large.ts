import { firstRow, type Transaction } from '#db/database.ts';
import { undecided } from '#db/outreach/sends/approval/holding.ts';
import { decideOneByOne, groundsForApproval } from '#db/outreach/sends/approval/sum.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import { pauseSending } from '#db/outreach/sends/ledger/ledger.ts';
import { requestApproval } from './request-approval.ts';

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
