import { type Database, rows } from '#db/database.ts';
import { recordAudit } from '#db/outreach/audit/record.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import { pauseSending } from '#db/outreach/sends/ledger/ledger.ts';
import { passDeadline } from '#db/outreach/sends/ledger/paced.ts';
import { holdingCampaign } from './holding-campaign.ts';

/**
 * Pauses a campaign once, as `deadline`, whose deadline has passed: an operator resumes it, with another deadline or without,
 * or cancels it. Does nothing if nothing is left.
 */
export function keepBackAtDeadline(database: Database, { now, ...key }: CampaignKey & { now: Date }): Promise<void> {
  return holdingCampaign(database, key, async (transaction) => {
    const [passed] = await rows<{ status: string; deadline: string; contacts: number }>(transaction, passDeadline, {
      ...key,
      now,
    });
    if (!passed || !(await pauseSending(transaction, { ...key, reason: 'deadline', now }))) return;
    const { status, deadline, contacts } = passed;
    const author = { tenantId: key.tenantId, userId: 'service:pace', requestId: null };
    await recordAudit(transaction, author, {
      action: 'campaign.keep_back',
      objectType: 'campaign',
      objectId: key.campaignId,
      before: { status },
      after: { status: 'paused', pauseReason: 'deadline', deadline, contacts },
    });
  });
}
