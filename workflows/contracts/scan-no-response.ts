/** The Schedule's id, and the prefix of its runs' ids. */
export const noResponseScanScheduleId = 'no-response-scan';

export interface ScanNoResponseResult {
  /** Sub-tasks to which a rule was applied. */
  scanned: number;
  /** Contacts that received a tag. */
  tagged: number;
}
