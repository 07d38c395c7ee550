/** The Schedule's id, and the prefix of its runs' ids. */
export const applyRetentionScheduleId = 'apply-retention';

export interface ApplyRetentionResult {
  /** Partitions, as `table month`. */
  added: string[];
  dropped: string[];
  /** Rows that were in no partition of their own. */
  deleted: number;
  /** Rows of tenants that were uninstalled. */
  deletedUninstalled: number;
}
