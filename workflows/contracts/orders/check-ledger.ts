/** The Schedule's id, and the prefix of its runs' ids. */
export const checkLedgerScheduleId = 'check-ledger';

type Subject = { tenantId: string; userId: string; kind: 'tenant' | 'district' | 'wallet' } | { orderId: string };

export interface CheckLedgerInput {
  /** What earlier runs of the same check found. */
  soFar?: {
    /** A subject alone is of a run of an earlier release. */
    after: { state: 'changed' | 'all' } | { state: 'known'; after: Subject | null } | Subject;
    accounts: number;
    drift: number;
    details: unknown[];
  };
}

export interface CheckLedgerResult {
  accounts: number;
  drift: number;
}
