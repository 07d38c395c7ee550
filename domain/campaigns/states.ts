import type { CampaignStatus, CancelOutcome, PauseReason, SubTaskStatus } from '../api/campaign.ts';

/** Sub-tasks that have not ended yet. */
export const openSubTaskStatuses = ['pending', 'submitting', 'unknown', 'scheduled', 'sending'] as const;

export const isOpen = (status: SubTaskStatus): boolean =>
  (openSubTaskStatuses as readonly SubTaskStatus[]).includes(status);

/** Sub-tasks that no longer change by themselves. */
export const endedSubTaskStatuses = ['rejected', 'completed', 'cancelled', 'failed'] as const;

/** Statuses known to the platform (S0). */
export const platformTaskStatuses = ['scheduled', 'sending', 'completed', 'cancelled', 'failed'] as const;
export type PlatformTaskStatus = (typeof platformTaskStatuses)[number];

/** The inputs from which a campaign's status is derived. */
export interface CampaignFacts {
  status: CampaignStatus;
  pauseReason: PauseReason | null;
  cancelRequested: boolean;
  /** The tenant was uninstalled while the campaign was open, which cancelled it. */
  endedByUninstall: boolean;
  /** The send is scheduled and its time has not come. */
  beforeStart: boolean;
  /** Contacts of the audience are still being put into sub-tasks. */
  preparing: boolean;
  /** Sub-tasks by status; those replaced by a later send are left out. */
  subTasks: Partial<Record<SubTaskStatus, number>>;
}

export interface DerivedStatus {
  status: CampaignStatus;
  /** Kept only while the campaign is paused. */
  pauseReason: PauseReason | null;
}

const plain = (status: CampaignStatus): DerivedStatus => ({ status, pauseReason: null });

/**
 * The status of a campaign after its send: `sending` while any sub-task is open or unknown, then derived from how
 * they ended: `cancelled` only if a cancel kept somebody from being sent to. A draft and a closed campaign stay what
 * they are, and so does one that an uninstallation cancelled: its sub-tasks keep their last known status.
 */
export function deriveStatus(facts: CampaignFacts): DerivedStatus {
  const { status, pauseReason, cancelRequested, subTasks } = facts;
  if (status === 'draft' || status === 'closed') return plain(status);
  if (status === 'cancelled' && facts.endedByUninstall) return plain(status);
  const count = (name: SubTaskStatus) => subTasks[name] ?? 0;
  const sum = (names: readonly SubTaskStatus[]) => names.reduce((total, name) => total + count(name), 0);
  const open = sum(openSubTaskStatuses) + (facts.preparing ? 1 : 0);
  const ended = sum(endedSubTaskStatuses);
  // Everyone left the audience while it was being prepared.
  if (open + ended === 0) return plain(cancelRequested ? 'cancelled' : 'failed');
  if (open > 0) {
    // Only unsubmitted sub-tasks can be paused: once none are left, the pause is over.
    if (pauseReason !== null && (facts.preparing || count('pending') > 0) && !cancelRequested)
      return { status: 'paused', pauseReason };
    const begun = sum(['sending', 'completed', 'failed']) > 0 || !facts.beforeStart;
    return plain(begun ? 'sending' : 'scheduled');
  }
  if (cancelRequested && count('cancelled') > 0) return plain('cancelled');
  if (count('completed') === ended) return plain('completed');
  // Cancelled on the platform, not by us: nothing failed, and nothing was sent.
  if (count('cancelled') === ended) return plain('cancelled');
  return plain(count('completed') === 0 ? 'failed' : 'partially_failed');
}

/**
 * How cancelling a campaign ended; null while that is open.
 * @param sent sub-tasks that somebody received something from.
 */
export function cancelOutcomeOf({
  subTasks,
  sent,
}: Pick<CampaignFacts, 'subTasks'> & { sent: number }): CancelOutcome | null {
  const count = (name: SubTaskStatus) => subTasks[name] ?? 0;
  const kept = count('cancelled') > 0;
  if (kept && sent > 0) return 'partly';
  if (['pending', 'submitting', 'unknown', 'scheduled'].some((name) => count(name as SubTaskStatus) > 0)) return null;
  return kept ? 'cancelled' : 'too_late';
}

const rank: Record<PlatformTaskStatus, number> = { scheduled: 0, sending: 1, completed: 2, cancelled: 2, failed: 2 };

/**
 * A task only moves forward: responses that arrive out of order never move it back, and a final status is final. Two
 * exceptions: a status that was only assumed yields to any report, and a failed task that the platform sends after all
 * is sent, whatever it said before, since its contacts would otherwise count as safe to send to again.
 */
export function nextTaskStatus(
  { status, statusAssumed }: { status: SubTaskStatus; statusAssumed: boolean },
  reported: PlatformTaskStatus,
): PlatformTaskStatus {
  if (statusAssumed || !(status in rank)) return reported;
  if (status === 'failed' && (reported === 'sending' || reported === 'completed')) return reported;
  const known = status as PlatformTaskStatus;
  return rank[reported] > rank[known] ? reported : known;
}

/** Whether the platform no longer changes a task with this status (reads may still arrive). */
export function hasEnded(status: SubTaskStatus): boolean {
  return status in rank && rank[status as PlatformTaskStatus] === 2;
}

/** Nobody knows whether the platform has it, or it counts as not sent: evidence may show otherwise. */
export function isInDoubt(status: SubTaskStatus): boolean {
  return status === 'unknown' || status === 'rejected';
}

/** Whether a click says more of a sub-task than is known: it is in doubt, or counts as failed with nothing sent. */
export function isDisproved({ status, sent }: { status: SubTaskStatus; sent: number | null }): boolean {
  return isInDoubt(status) || (status === 'failed' && sent === 0);
}
