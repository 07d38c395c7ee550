/** The Schedule's id, and the prefix of its runs' ids. */
export const outreachSweepScheduleId = 'outreach-sweep';

export interface SweepOutreachResult {
  dispatches: number;
  polls: number;
  partitions: number;
  closings: number;
  sourceUpdates: number;
  variantTests: number;
}
