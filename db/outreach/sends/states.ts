import { type Database, rows } from '#db/database.ts';
import { awaitsChoice, beingEdited } from './ledger/conditions.ts';

/** SQL condition on a sub-task `t`: not known to have begun. What is in flight or unknown can be a scheduled task. */
export const cancellable = `t.status in ('pending', 'scheduled', 'submitting', 'unknown')`;

export const anyCancellable = `
  select 1 as found from broadcast_task t
  where t.tenant_id = :tenantId and t.campaign_id = :campaignId and t.superseded_by is null and ${cancellable}
  union all
  select 1 from dispatch where tenant_id = :tenantId and campaign_id = :campaignId and frozen_at is null
  union all
  select 1 from campaign c where tenant_id = :tenantId and campaign_id = :campaignId and ${beingEdited('c')}
  limit 1`;

/** Sends of the campaign that still have something to prepare or submit. */
export function openSends(
  database: Database,
  tenantId: string,
  campaignId: string,
): Promise<{ dispatchId: string; number: number }[]> {
  return rows(
    database,
    `select d.dispatch_id, d.number from dispatch d
     where d.tenant_id = :tenantId and d.campaign_id = :campaignId and (d.frozen_at is null or exists (
       select 1 from broadcast_task t where t.dispatch_id = d.dispatch_id and t.status in ('pending', 'submitting')
         and not ${awaitsChoice('t')}))
     order by d.number`,
    { tenantId, campaignId },
  );
}
