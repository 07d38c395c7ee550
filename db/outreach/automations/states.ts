import type { AutomationEndReason } from '#domain/api/automations.ts';
import { firstRow, rows, type Transaction } from '#db/database.ts';
import type { AutomationKey } from './automations.ts';

/**
 * The first send of an automation, to nobody: what comes before a message, as an entry source, needs one, and all that
 * looks at sent campaigns finds it.
 */
export const activate = `
  with sent as (
    insert into dispatch (dispatch_id, tenant_id, campaign_id, number, source, audience_count, audience_hash, excluded,
      frozen_at, freeze_at, created_by, created_at)
    values (:dispatchId, :tenantId, :automationId, 1, '{"kind": "ids"}', 0, '',
      '{"expiredTags": 0, "unsubscribed": 0, "unreachable": 0}', :now, :now, :startedBy, :now)
  ), begun as (
    update campaign set status = 'sending', dispatches = 1, sent_at = :now, sent_name = name, first_claimed_at = :now,
      updated_at = :now
    where tenant_id = :tenantId and campaign_id = :automationId
  )
  update automation set activated_at = :now, started_by = :startedBy, updated_at = :now
  where automation_id = :automationId`;

export const pause = `
  with paused as (
    update campaign set status = 'paused', pause_reason = :reason, updated_at = :now
    where tenant_id = :tenantId and campaign_id = :automationId)
  update automation set updated_at = :now where automation_id = :automationId`;

export const resume = `
  with resumed as (
    update campaign set status = 'sending', pause_reason = null, updated_at = :now
    where tenant_id = :tenantId and campaign_id = :automationId)
  update automation set restored = false, updated_at = :now where automation_id = :automationId`;

/** Notes why an automation ends, and closes its campaign. */
export async function close(
  transaction: Transaction,
  { tenantId, automationId }: AutomationKey,
  { endReason, now }: { endReason: Exclude<AutomationEndReason, 'uninstalled'>; now: Date },
): Promise<void> {
  await rows(
    transaction,
    `with noted as (
       update automation set end_reason = :endReason, restored = false, updated_at = :now
       where automation_id = :automationId)
     update campaign set status = 'closed', pause_reason = null, cancel_requested = true, closed_at = :now,
       updated_at = :now
     where tenant_id = :tenantId and campaign_id = :automationId`,
    { tenantId, automationId, endReason, now },
  );
}

/** Above how many contacts sends of the tenant need approval, where nobody has approved this automation as it is. */
export async function unapprovedLimit(
  transaction: Transaction,
  { tenantId, automationId }: AutomationKey,
): Promise<number | null> {
  const row = await firstRow<{ above: number | null }>(
    transaction,
    `select sends_need_approval as above from tenant where tenant_id = :tenantId and coalesce((
       select outcome from send_approval where campaign_id = :automationId order by requested_at desc, approval_id desc limit 1), '') <> 'approved'`,
    { tenantId, automationId },
  );
  return row?.above ?? null;
}
