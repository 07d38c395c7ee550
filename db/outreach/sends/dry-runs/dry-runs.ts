import type { Repetition } from '#domain/campaigns/dry-run-warnings.ts';
import { firstRow, type Transaction } from '#db/database.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';

export interface SameAudience extends Repetition {
  campaignId: string;
}

export const insertRun = `
  insert into dry_run (dry_run_id, tenant_id, campaign_id, source, audience_count, audience_hash, created_by, created_at)
  values (:dryRunId, :tenantId, :campaignId, :definition::jsonb, :audienceCount, '', :userId, :now)`;

export const insertParts = (chunks: string) => `
  insert into dry_run_part (dry_run_id, class, part, contact_ids, first_id, last_id)
  select :dryRunId, class, chunk, array_agg(contact_id order by contact_id), min(contact_id), max(contact_id)
  from (${chunks}) numbered
  group by class, chunk`;

/**
 * The last send to exactly these contacts that was confirmed or began since `sentAfter` or is still to begin, unless its
 * campaign ended before anyone received it.
 */
export function findSameAudience(
  transaction: Transaction,
  { serviceNumberId }: CampaignRecord,
  { dryRunId, sentAfter }: { dryRunId: string; sentAfter: Date },
): Promise<SameAudience | null> {
  return firstRow<SameAudience>(
    transaction,
    `select c.campaign_id, c.name, c.started_at, d.scheduled_at
     from dry_run r join dispatch d using (tenant_id, audience_hash)
     join campaign c on c.campaign_id = d.campaign_id and c.service_number_id = :serviceNumberId
     where r.dry_run_id = :dryRunId
       and (d.created_at >= :sentAfter or c.started_at >= :sentAfter or c.status = 'scheduled')
       and (c.status not in ('cancelled', 'failed')
         or exists (select 1 from broadcast_task t where t.campaign_id = c.campaign_id and t.sent > 0))
     order by d.created_at desc limit 1`,
    { serviceNumberId, dryRunId, sentAfter },
  );
}
