/** A day (UTC, `YYYY-MM-DD`) of one tenant. */
interface TenantDay {
  tenantId: string;
  date: string;
}

/** Where an earlier run of the same comparison has got to. */
export interface ReconciliationProgress {
  shopId: string;
  /** Paid charges compared so far. */
  charges: number;
  /** What to read next: a page of the gateway's refunds, then of its charges, then of the charges accepted here. */
  next:
    | { list: 'refunds'; cursor: string }
    | { list: 'theirs'; cursor: string }
    | { list: 'ours'; after: { receivedAt: string; chargeId: string } };
}

export interface ReconcileChargesInput extends TenantDay {
  /** How long the payment gateway may fail before the run does; an hour if absent. */
  patienceMs?: number;
  soFar?: ReconciliationProgress;
}

export interface ReconcileChargesResult {
  charges: number;
  differences: number;
  mended: number;
}

/** `reconcile:<tenantId>:<date>`: a day of a tenant is compared by one run at a time. */
export function reconcileWorkflowId({ tenantId, date }: TenantDay): string {
  return `reconcile:${tenantId}:${date}`;
}

/** What staff see of a run in Temporal UI. */
export const reconcileSummary = ({ tenantId, date }: TenantDay): string =>
  `Compares the charges of ${tenantId} on ${date} with the payment gateway`;

export const reconcileDetails =
  'Ends when the gateway’s list and our own charges of the day are compared. Lost callbacks and late money are acted on.';
