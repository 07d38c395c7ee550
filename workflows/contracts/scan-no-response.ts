/** The Schedule, and the prefix of the ids of its runs. */
export const noResponseScanScheduleId = 'no-response-scan';

export interface ScanNoResponseResult {
  /** Sub-tasks that a rule was applied to. */
  scanned: number;
  /** Contacts that got a tag. */
  tagged: number;
}
