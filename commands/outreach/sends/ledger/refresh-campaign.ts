import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import { cancelPending, countSubTasks, lockCampaign, updateCampaign } from '#db/outreach/sends/ledger/status.ts';
import type { CampaignStatus, PauseReason, SubTaskStatus } from '#domain/api/campaign.ts';
import { cancelOutcomeOf, deriveStatus, isOpen } from '#domain/campaigns/states.ts';
import { settleOvertaken } from './settle-overtaken.ts';

interface LockedCampaign {
  automation: boolean;
  status: CampaignStatus;
  pauseReason: PauseReason | null;
  cancelRequested: boolean;
  endedByUninstall: boolean;
  cancelledAt: Date | null;
  dispatches: number;
  scheduledAt: Date | null;
  preparing: boolean;
}

interface StatusCount {
  status: SubTaskStatus;
  tasks: number;
  sent: number;
}

const endedStatuses = new Set<CampaignStatus>(['completed', 'partially_failed', 'failed', 'cancelled']);

/**
 * Derives the campaign's status from its sub-tasks, in the transaction that changed them. Transactions of one
 * campaign wait for each other here, so that the last of them sees the changes of all.
 * @returns the status; null if there is no such campaign.
 */
export async function refreshCampaign(
  transaction: Transaction,
  key: CampaignKey,
  now: Date,
): Promise<CampaignStatus | null> {
  const campaign = await firstRow<LockedCampaign>(transaction, lockCampaign, { ...key });
  if (!campaign) return null;
  if (campaign.cancelRequested) await transaction.raw(cancelPending, { ...key, now });
  // Its state is that of its automation, whatever becomes of its sub-tasks.
  if (campaign.automation) return campaign.status;
  if (campaign.dispatches > 1) await settleOvertaken(transaction, key, now);
  const counts = await rows<StatusCount>(transaction, countSubTasks, { ...key });
  const subTasks = Object.fromEntries(counts.map(({ status, tasks }) => [status, tasks]));
  const beforeStart = campaign.scheduledAt !== null && campaign.scheduledAt > now;
  const derived = deriveStatus({ ...campaign, beforeStart, subTasks });
  const sent = counts.reduce((sum, count) => sum + count.sent, 0);
  const cancelOutcome = campaign.cancelledAt && cancelOutcomeOf({ subTasks, sent });
  const open = campaign.preparing || counts.some(({ status }) => isOpen(status));
  const ended = derived.status === 'closed' ? !open : endedStatuses.has(derived.status);
  await rows(transaction, updateCampaign, { ...key, ...derived, cancelOutcome, ended, now });
  return derived.status;
}

/** refreshCampaign in its own transaction. */
export function refreshCampaignNow(database: Database, key: CampaignKey, now: Date): Promise<CampaignStatus | null> {
  return database.transaction((transaction) => refreshCampaign(transaction, key, now));
}
