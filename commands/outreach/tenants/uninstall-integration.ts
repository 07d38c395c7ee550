import { type Database, rows, type Transaction } from '#db/database.ts';
import { type Author, recordAudit, type RequestIds } from '#db/outreach/audit/record.ts';
import { IntegrationRow, TenantRow } from '#db/outreach/models/tenants.ts';
import { forgetCalls } from '#db/outreach/idempotency/calls.ts';
import { cancelStepsOfTenant } from '#db/outreach/steps/steps.ts';
import { cancelOpenCampaigns, endRepeats, endWorkflowsSql, lockSentCampaigns } from '#db/outreach/tenants/uninstall.ts';
import { removeEndpoints } from '#db/outreach/webhooks/webhooks.ts';
import type { CampaignStatus } from '#domain/api/campaign.ts';
import { lockIntegration, platformAuthor } from './integrations.ts';

interface WithdrawnApproval {
  campaignId: string;
  contacts: number;
  requestedBy: string;
  requestedAt: Date;
  status: CampaignStatus;
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
 * Marks the integration UNINSTALLED, deletes its secrets, the tenant's endpoints and kept answers, so that no further call to the platform can begin, and its open campaigns
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
    await removeEndpoints(transaction, { tenantId });
    await rows(transaction, 'delete from event_reader where tenant_id = :tenantId', { tenantId });
    await forgetCalls(transaction, tenantId);
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
