import { type Database, rows, type Transaction } from '#db/database.ts';

/** A workflow of a campaign; `number` is that of its send for `dispatch`, else 0. */
export interface CampaignWorkflow {
  campaignId: string;
  kind: 'dispatch' | 'poll' | 'close' | 'sources' | 'variants' | 'steps';
  number: number;
}

// Before anything is cancelled: which workflows can be running follows from the same rows that the sweep starts them by.
export const endWorkflowsSql = `
  with own as (
    select campaign_id, status, ends_at <= :now and dispatches > 0 and status <> 'closed' as ended,
      status in ('scheduled', 'sending', 'paused') as open
    from campaign where tenant_id = :tenantId and dispatches > 0
  ), polled as (
    select distinct campaign_id from broadcast_task where tenant_id = :tenantId and next_poll_at is not null
  ), sources as (
    select distinct campaign_id from entry_source where tenant_id = :tenantId and ended_at is null
  )
  insert into ending_workflow (campaign_id, kind, number)
  select campaign_id, 'dispatch', d.number from own join dispatch d using (campaign_id) where own.open
  union all
  select campaign_id, 'poll', 0 from own where open or campaign_id in (select campaign_id from polled)
  union all
  select campaign_id, 'close', 0 from own
  where ended or (status in ('closed', 'cancelled') and (campaign_id in (select campaign_id from sources)
    or campaign_id in (select campaign_id from polled)))
  union all
  select campaign_id, 'sources', 0 from own join entry_source s using (campaign_id)
  where s.ended_at is null and s.told < s.wanted group by campaign_id
  union all
  select campaign_id, 'variants', 0 from variant_test where tenant_id = :tenantId and next_look_at is not null
  union all
  select campaign_id, 'steps', 0 from campaign_step where tenant_id = :tenantId and next_look_at is not null
  on conflict do nothing`;

/** Of all campaigns that were ever sent: the sub-tasks of ended ones are still polled, and stop being so. */
export async function lockSentCampaigns(transaction: Transaction, tenantId: string): Promise<void> {
  await rows(
    transaction,
    'select 1 from campaign where tenant_id = :tenantId and dispatches > 0 order by campaign_id for update',
    { tenantId },
  );
}

export async function cancelOpenCampaigns(transaction: Transaction, tenantId: string, now: Date): Promise<void> {
  await rows(
    transaction,
    `update campaign set status = 'cancelled', pause_reason = null, ended_by_uninstall = true,
       finished_at = :now, updated_at = :now
     where tenant_id = :tenantId and status in ('scheduled', 'sending', 'paused')`,
    { now, tenantId },
  );
  await rows(
    transaction,
    `update campaign_edit set outcome = 'dropped', settled_at = :now
     where tenant_id = :tenantId and outcome is null`,
    { now, tenantId },
  );
  await rows(
    transaction,
    'update broadcast_task set next_poll_at = null where tenant_id = :tenantId and next_poll_at is not null',
    { tenantId },
  );
}

/** The sweep deletes their Schedules. */
export async function endRepeats(transaction: Transaction, tenantId: string, now: Date): Promise<void> {
  await rows(
    transaction,
    `update campaign_repeat set status = 'ended', end_reason = 'uninstalled', pause_reason = null, next_at = null, next_local_time = null,
       schedule_stale = true, updated_at = :now
     where tenant_id = :tenantId and status <> 'ended'`,
    { now, tenantId },
  );
}

/** Some of the workflows that are still to be cancelled. */
export function endingWorkflows(database: Database, { limit }: { limit: number }): Promise<CampaignWorkflow[]> {
  return rows<CampaignWorkflow>(
    database,
    'select campaign_id, kind, number from ending_workflow order by campaign_id, kind, number limit :limit',
    { limit },
  );
}

/** It was cancelled, or had ended. */
export async function forgetWorkflow(database: Database, workflow: CampaignWorkflow): Promise<void> {
  await rows(
    database,
    'delete from ending_workflow where campaign_id = :campaignId and kind = :kind and number = :number',
    { ...workflow },
  );
}
