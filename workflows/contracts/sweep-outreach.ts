/** The Schedule, and the prefix of the ids of its runs. */
export const outreachSweepScheduleId = 'outreach-sweep';

export interface SweepOutreachResult {
  dispatches: number;
  polls: number;
  partitions: number;
  closings: number;
  sourceUpdates: number;
}
