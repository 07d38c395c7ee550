import { type Database, firstRow, rows } from '#db/database.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import { pauseSending } from '#db/outreach/sends/ledger/ledger.ts';
import type { Pace } from '#domain/api/pace.ts';
import { dueOf } from '#domain/campaigns/pace/due.ts';
import { holdingCampaign } from './holding-campaign.ts';

const selectUnbegun = `
  select c.pace, c.next_claim_at as paced_until, d.scheduled_at from dispatch d join campaign c using (campaign_id)
  where d.tenant_id = :tenantId and d.dispatch_id = :dispatchId and d.late_at is null and d.scheduled_at < :startedBefore
    and c.status in ('sending', 'scheduled')`;

/**
 * The late rule: a send whose time, or the first one that its pace allows, passed longer ago than the grace period is
 * paused once, as `late`. If resumed after its time, it is sent.
 * @returns whether it is paused now.
 */
export function pauseLate(
  database: Database,
  { startedBefore, now, dispatchId, ...key }: CampaignKey & { dispatchId: string; startedBefore: Date; now: Date },
): Promise<boolean> {
  return holdingCampaign(database, key, async (transaction) => {
    const send = await firstRow<{ pace: Pace | null; pacedUntil: Date | null; scheduledAt: Date }>(
      transaction,
      selectUnbegun,
      { tenantId: key.tenantId, dispatchId, startedBefore },
    );
    if (!send || dueOf(send, send.scheduledAt) >= startedBefore) return false;
    await rows(transaction, 'update dispatch set late_at = :now where dispatch_id = :dispatchId', { dispatchId, now });
    return await pauseSending(transaction, { ...key, reason: 'late', now });
  });
}
