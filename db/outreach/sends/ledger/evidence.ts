import type { ReportedSummary } from '#domain/api/campaign.ts';
import type { PlatformTaskStatus } from '#domain/campaigns/states.ts';

/** Counts of a task at the platform; null where it did not report them. */
export interface TaskCounts extends ReportedSummary {
  recipientCount: number | null;
}

/** The platform's task for a sub-task that was in doubt. */
export interface FoundTask {
  taskId: string;
  status: PlatformTaskStatus;
  /** The status is a conclusion; what A2 reports next replaces it, whatever it is. */
  statusAssumed: boolean;
  /** What A2 has reported of it; missing counts stay. */
  counts?: TaskCounts;
  /** It was clicked, so it was delivered, even if A2 still reports that nothing was sent. */
  reached?: boolean;
}

/** Facts about a clicked task. */
export const clickedTask = (taskId: string): FoundTask => ({
  taskId,
  status: 'sending',
  statusAssumed: true,
  reached: true,
});
