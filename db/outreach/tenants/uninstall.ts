import type { CampaignStatus } from '../../../domain/api/campaign.ts';
import { type Database, rows, type Transaction } from '../../database.ts';
import { type Author, recordAudit, type RequestIds } from '../audit/record.ts';
import { IntegrationRow, TenantRow } from '../models/tenants.ts';
import { cancelStepsOfTenant } from '../steps/steps.ts';
import { removeWebhook } from '../webhooks/webhooks.ts';
import { lockIntegration, platformAuthor } from './integrations.ts';

/** A workflow of a campaign; `number` is that of its send for `dispatch`, else 0. */
export interface CampaignWorkflow {
  campaignId: string;
  kind: 'dispatch' | 'poll' | 'close' | 'sources' | 'variants' | 'steps';
  number: number;
}

interface WithdrawnApproval {
  campaignId: string;
  contacts: number;
  requestedBy: string;
  requestedAt: Date;
  status: CampaignStatus;
}

// Before anything is cancelled: which workflows can be running follows from the same rows that the sweep starts them by.
const endWorkflowsSql = `
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
async function lockSentCampaigns(transaction: Transaction, tenantId: string): Promise<void> {
  await rows(
    transaction,
    'select 1 from campaign where tenant_id = :tenantId and dispatches > 0 order by campaign_id for update',
    { tenantId },
  );
}

async function cancelOpenCampaigns(transaction: Transaction, tenantId: string, now: Date): Promise<void> {
  await rows(
    transaction,
    `update campaign set status = 'cancelled', pause_reason = null, ended_by_uninstall = true,
       finished_at = :now, updated_at = :now, version = version + 1
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
async function endRepeats(transaction: Transaction, tenantId: string, now: Date): Promise<void> {
  await rows(
    transaction,
    `update campaign_repeat set status = 'ended', end_reason = 'uninstalled', pause_reason = null, next_at = null, next_local_time = null,
       schedule_stale = true, updated_at = :now
     where tenant_id = :tenantId and status <> 'ended'`,
    { now, tenantId },
  );
}

/** Of drafts and of paused campaigns, whose status is known by then. */
async function withdrawApprovals(transaction: Transaction, author: Author, now: Date): Promise<void> {
  const withdrawn = await rows<WithdrawnApproval>(
    transaction,
    `update send_approval a set outcome = 'withdrawn', decided_by = :userId, decided_at = :now
     from campaign c
     where a.tenant_id = :tenantId and a.outcome is null
       and c.tenant_id = a.tenant_id and c.campaign_id = a.campaign_id
     returning a.campaign_id, a.contacts, a.requested_by, a.requested_at, c.status`,
    { now, tenantId: author.tenantId, userId: author.userId },
  );
  for (const { campaignId: objectId, status, ...before } of withdrawn)
    await recordAudit(transaction, author, {
      action: 'campaign.withdraw',
      objectType: 'campaign',
      objectId,
      before,
      after: { status },
    });
}

/**
 * Marks the integration UNINSTALLED, deletes its secrets and the tenant's webhook, so that no further call to the platform can begin, and its open campaigns
 * `cancelled`; their sub-tasks keep the last known status and are no longer polled. Workflows that may be running are
 * noted for the sweep, which ends them. A repeated call changes nothing.
 * @throws Problem `not_found`.
 */
export function uninstallIntegration(
  database: Database,
  tenantIntegrationId: string,
  { reason, now, ...ids }: { reason: string | undefined; now: Date } & RequestIds,
): Promise<void> {
  return database.transaction(async (transaction) => {
    const { status, tenantId } = await lockIntegration(transaction, tenantIntegrationId);
    if (status === 'UNINSTALLED') return;
    await IntegrationRow.query(transaction).findById(tenantIntegrationId).patch({
      status: 'UNINSTALLED',
      uninstalledAt: now,
      secretEncrypted: null,
      previousSecretEncrypted: null,
    });
    await TenantRow.query(transaction).findById(tenantId).patch({ status: 'inactive' });
    // Before its campaigns end: no more events are sent.
    await removeWebhook(transaction, tenantId);
    await lockSentCampaigns(transaction, tenantId);
    await rows(transaction, endWorkflowsSql, { tenantId, now });
    await cancelOpenCampaigns(transaction, tenantId, now);
    await endRepeats(transaction, tenantId, now);
    await cancelStepsOfTenant(transaction, tenantId, now);
    const author = platformAuthor(tenantId, ids);
    await withdrawApprovals(transaction, author, now);
    await recordAudit(transaction, author, {
      action: 'integration.uninstall',
      objectType: 'integration',
      objectId: tenantIntegrationId,
      after: { reason: reason ?? null },
    });
  });
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
