/** The Schedule's id, and the prefix of its runs' ids. */
export const reconcileChargesScheduleId = 'reconcile-charges';

export interface ReconcileShopsInput {
  /** Only this tenant, and of the days before `date` only those that it lacks; all that have a shop if absent. */
  tenantId?: string;
  /** `YYYY-MM-DD`, in UTC; the day before the run's scheduled time if absent. */
  date?: string;
  /** As of `reconcileCharges`. */
  patienceMs?: number;
  /** What earlier runs of the same comparison did: the last tenant, in order, and how many succeeded and failed. */
  soFar?: { after: string; compared: number; failed: number };
}

/** How many days of tenants were compared, and how many could not be. */
export interface ReconcileShopsResult {
  compared: number;
  failed: number;
}

/** `reconcile-missing:<tenantId>`: what a tenant lacks is compared by one run at a time. */
export function missingDaysWorkflowId(tenantId: string): string {
  return `reconcile-missing:${tenantId}`;
}
