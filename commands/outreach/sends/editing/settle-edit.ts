import { firstRow, rows, type Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { closeEdit, moveFirstSend, newestSend, openEdit, type OpenEdit } from '#db/outreach/sends/editing/edits.ts';
import {
  cancelPending,
  countTasks,
  countWithdrawn,
  keepPending,
  markReplaced,
  somethingToSettle,
} from '#db/outreach/sends/editing/settle.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import { firstSend } from '#db/outreach/sends/retries.ts';
import { patchedFields } from '#domain/campaigns/fields.ts';
import { plannedStart } from '#domain/campaigns/times.ts';
import { storeFields } from '#commands/outreach/campaigns/changes.ts';
import { lockCampaign } from '#commands/outreach/campaigns/lock-campaign.ts';
import { replaceSubTasks } from '../replace-sub-tasks.ts';

interface Tasks {
  /** Scheduled at the platform, or in a call. */
  waiting: number;
  /** The platform has begun them, or it is unknown. */
  begun: number;
}

const keyOf = ({ tenantId, id }: CampaignRecord): CampaignKey => ({ tenantId, campaignId: id });

const authorOf = ({ tenantId }: CampaignKey, { requestedBy, requestId }: OpenEdit): Author => ({
  tenantId,
  userId: requestedBy,
  requestId,
});

interface Resubmission {
  scheduledAt: Date | null;
  now: Date;
}

/** Submits the contacts of withdrawn sub-tasks with the campaign's present content. @returns how many contacts. */
async function resubmit(
  transaction: Transaction,
  author: Author,
  campaign: CampaignRecord,
  { scheduledAt, now }: Resubmission,
): Promise<number> {
  const key = keyOf(campaign);
  const found = await firstRow<{ subTasks: number; contacts: number }>(transaction, countWithdrawn, { ...key });
  const first = await firstSend(transaction, campaign.id);
  if (!found || found.subTasks === 0 || !first) return 0;
  await replaceSubTasks(transaction, author, campaign, {
    ...found,
    retryOf: first.dispatchId,
    scheduledAt,
    request: { idempotencyKey: null, now },
    mark: (by) => rows(transaction, markReplaced, { ...key, by }),
  });
  return found.contacts;
}

/** The platform has cancelled all tasks: they are submitted again with the new content. */
async function makeEdit(transaction: Transaction, before: CampaignRecord, edit: OpenEdit, now: Date): Promise<void> {
  const key = keyOf(before);
  const author = authorOf(key, edit);
  const fields = patchedFields(before, edit.patch);
  await rows(transaction, cancelPending, { ...key, now, editId: edit.editId });
  await closeEdit(transaction, key, { outcome: 'made', now });
  const campaign = await storeFields(transaction, author, before, { fields, now });
  const scheduledAt = plannedStart(fields);
  await resubmit(transaction, author, campaign, { scheduledAt, now });
  await moveFirstSend(transaction, key, { startsAt: scheduledAt ?? now, now });
}

/** The platform has begun some of the tasks: the campaign stays as it was, and so do those that are still there. */
async function giveUp(transaction: Transaction, campaign: CampaignRecord, edit: OpenEdit, now: Date): Promise<void> {
  const key = keyOf(campaign);
  await rows(transaction, keepPending, { ...key, editId: edit.editId });
  await closeEdit(transaction, key, { outcome: 'too_late', now });
  await recordAudit(transaction, authorOf(key, edit), {
    action: 'campaign.update_too_late',
    objectType: 'campaign',
    objectId: campaign.id,
    after: { fields: Object.keys(edit.patch) },
  });
}

/** Sub-tasks cancelled for a late edit are submitted again unchanged, including those cancelled later. */
async function restore(transaction: Transaction, campaign: CampaignRecord, now: Date): Promise<boolean> {
  const send = await newestSend(transaction, keyOf(campaign), now);
  if (campaign.cancelRequested || campaign.endedByUninstall || campaign.status === 'closed' || !send) return false;
  const author = { tenantId: campaign.tenantId, userId: 'service:schedule', requestId: null };
  return (await resubmit(transaction, author, campaign, { scheduledAt: send.scheduledAt, now })) > 0;
}

/**
 * Makes the campaign's open edit if nothing of it is at the platform any more, or gives it up if its time has come or
 * the platform has begun. Waits for tasks that are still there. In the caller's transaction.
 * @returns whether anything is to be submitted again.
 */
export async function settleEdit(transaction: Transaction, key: CampaignKey, now: Date): Promise<boolean> {
  if (!(await firstRow(transaction, somethingToSettle, { ...key }))) return false;
  const campaign = await lockCampaign(transaction, key.tenantId, key.campaignId);
  const edit = await openEdit(transaction, key);
  if (!edit) return await restore(transaction, campaign, now);
  const tasks = await firstRow<Tasks>(transaction, countTasks, { ...key });
  const send = await newestSend(transaction, key, now);
  if (!tasks || !send) return false;
  if (tasks.begun > 0 || !send.scheduledAt || send.scheduledAt <= now) {
    await giveUp(transaction, campaign, edit, now);
    await restore(transaction, campaign, now);
    return true;
  }
  if (tasks.waiting > 0) return false;
  await makeEdit(transaction, campaign, edit, now);
  return true;
}
