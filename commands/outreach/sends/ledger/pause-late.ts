import { type Database, rows } from '#db/database.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import { pauseSending } from '#db/outreach/sends/ledger/ledger.ts';
import { holdingCampaign } from './holding-campaign.ts';

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
    const late = await rows(
      transaction,
      `update dispatch d set late_at = :now from campaign c
       where d.tenant_id = :tenantId and d.dispatch_id = :dispatchId and d.late_at is null
         and d.scheduled_at < :startedBefore and coalesce(d.paced_until, d.scheduled_at) < :startedBefore and c.campaign_id = d.campaign_id and c.status in ('sending', 'scheduled')
       returning 1`,
      { ...key, dispatchId, startedBefore, now },
    );
    return late.length > 0 && (await pauseSending(transaction, { ...key, reason: 'late', now }));
  });
}
