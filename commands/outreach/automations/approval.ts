import { rows, type Transaction } from '#db/database.ts';
import type { Author } from '#db/outreach/audit/record.ts';
import type { AutomationRecord } from '#db/outreach/automations/automations.ts';
import { pause, unapprovedLimit } from '#db/outreach/automations/states.ts';
import { storeRequest } from '../sends/approval/request-approval.ts';
import { approvalLimit, endApproval } from '#db/outreach/sends/approval/requests.ts';
import { isWaiting, noteChange, reread } from './automations.ts';

/** Asks somebody else to approve an automation, whose lock the caller holds. */
export async function requestApproval(
  transaction: Transaction,
  author: Author,
  automation: AutomationRecord,
  { above, requestedBy, now }: { above: number; requestedBy: string; now: Date },
): Promise<void> {
  const { tenantId, automationId: campaignId } = automation;
  if (isWaiting(automation)) return;
  await storeRequest(
    transaction,
    { tenantId, campaignId },
    {
      reason: 'contacts',
      sum: null,
      dispatchId: null,
      contacts: 0,
      above,
      idempotencyKey: null,
      requestedBy,
      now,
    },
  );
  const after = await reread(transaction, automation);
  await noteChange(transaction, author, 'request_approval', { after, more: { above, requestedBy } });
}

/**
 * Pauses an automation that is active, or paused otherwise, until somebody approves what it is now, if sends of the tenant
 * need that. The caller holds its lock.
 * @returns whether it waits for that now.
 */
export async function holdUnapproved(
  transaction: Transaction,
  author: Author,
  automation: AutomationRecord,
  { requestedBy, now }: { requestedBy: string; now: Date },
): Promise<boolean> {
  const { tenantId, automationId } = automation;
  const above = await unapprovedLimit(transaction, automation);
  if (above === null) return false;
  await rows(transaction, pause, { tenantId, automationId, reason: 'approval', now });
  await requestApproval(transaction, author, automation, { above, requestedBy, now });
  return true;
}

/**
 * Has somebody approve the new messages of an automation that is active or paused, whatever was approved before, if sends of
 * the tenant need that. The caller holds its lock.
 * @returns whether it waits for that now.
 */
export async function askAgain(
  transaction: Transaction,
  author: Author,
  automation: AutomationRecord,
  now: Date,
): Promise<boolean> {
  const { tenantId, automationId } = automation;
  const above = await approvalLimit(transaction, tenantId);
  if (above === null) return false;
  const { userId: requestedBy } = author;
  const decision = { outcome: 'withdrawn', decidedBy: requestedBy, now } as const;
  await endApproval(transaction, { tenantId, campaignId: automationId }, decision);
  await rows(transaction, pause, { tenantId, automationId, reason: 'approval', now });
  const asked = await reread(transaction, automation);
  await requestApproval(transaction, author, asked, { above, requestedBy, now });
  return true;
}
