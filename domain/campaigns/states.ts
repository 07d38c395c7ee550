import type { CampaignStatus, PauseReason, SubTaskStatus } from '../api/campaign.ts';

/** Sub-tasks whose end is still to come. */
export const openSubTaskStatuses = ['pending', 'submitting', 'unknown', 'scheduled', 'sending'] as const;

export const isOpen = (status: SubTaskStatus): boolean =>
  (openSubTaskStatuses as readonly SubTaskStatus[]).includes(status);

/** Sub-tasks that never change by themselves any more. */
export const endedSubTaskStatuses = ['rejected', 'completed', 'cancelled', 'failed'] as const;

/** Statuses that the platform knows (S0). */
export const platformTaskStatuses = ['scheduled', 'sending', 'completed', 'cancelled', 'failed'] as const;
export type PlatformTaskStatus = (typeof platformTaskStatuses)[number];

/** What a campaign's status follows from. */
export interface CampaignFacts {
  status: CampaignStatus;
  pauseReason: PauseReason | null;
  cancelRequested: boolean;
  /** The send is scheduled and its time has not come. */
  beforeStart: boolean;
  /** Sub-tasks by status; those that a later send replaced are left out. */
  subTasks: Partial<Record<SubTaskStatus, number>>;
}

export interface DerivedStatus {
  status: CampaignStatus;
  /** Kept only while the campaign is paused. */
  pauseReason: PauseReason | null;
}

const plain = (status: CampaignStatus): DerivedStatus => ({ status, pauseReason: null });

/**
 * The status of a campaign that was sent: `sending` while any sub-task is open or unknown, then by how they ended.
 * A draft and a closed campaign stay what they are, and so does a cancelled one: uninstalling cancels campaigns whose
 * sub-tasks keep their last known status.
 */
export function deriveStatus(facts: CampaignFacts): DerivedStatus {
  const { status, pauseReason, cancelRequested, subTasks } = facts;
  if (status === 'draft' || status === 'closed' || status === 'cancelled') return plain(status);
  const count = (name: SubTaskStatus) => subTasks[name] ?? 0;
  const sum = (names: readonly SubTaskStatus[]) => names.reduce((total, name) => total + count(name), 0);
  const open = sum(openSubTaskStatuses);
  const ended = sum(endedSubTaskStatuses);
  if (open + ended === 0) return { status, pauseReason };
  if (open > 0) {
    // Only what is not submitted can be paused: once nothing is left of that, the pause is over.
    if (pauseReason !== null && count('pending') > 0 && !cancelRequested) return { status: 'paused', pauseReason };
    const begun = sum(['sending', 'completed', 'failed']) > 0 || !facts.beforeStart;
    return plain(begun ? 'sending' : 'scheduled');
  }
  if (cancelRequested) return plain('cancelled');
  if (count('completed') === ended) return plain('completed');
  // Cancelled at the platform without our asking: nothing failed, and nothing went out.
  if (count('cancelled') === ended) return plain('cancelled');
  return plain(count('completed') === 0 ? 'failed' : 'partially_failed');
}

const rank: Record<PlatformTaskStatus, number> = { scheduled: 0, sending: 1, completed: 2, cancelled: 2, failed: 2 };

/** A task only moves on: answers that come out of order never take it back, and an end is an end. */
export function nextTaskStatus(current: SubTaskStatus, reported: PlatformTaskStatus): PlatformTaskStatus {
  if (current in rank) {
    const known = current as PlatformTaskStatus;
    return rank[reported] > rank[known] ? reported : known;
  }
  return reported;
}

/** Whether the platform will change a task of this status no more (its reads still come in). */
export function hasEnded(status: PlatformTaskStatus): boolean {
  return rank[status] === 2;
}
