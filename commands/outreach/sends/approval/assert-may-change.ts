import type { Transaction } from '#db/database.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { approvalLimit } from '#db/outreach/sends/approval/requests.ts';
import { Problem } from '#domain/api/problem.ts';

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
