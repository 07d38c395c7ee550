/** The Schedule's id, and the prefix of its runs' ids. */
export const checkLedgerScheduleId = 'check-ledger';

export interface CheckLedgerInput {
  /** What earlier runs of the same check found. */
  soFar?: {
    after: { tenantId: string; userId: string; kind: 'tenant' | 'district' | 'wallet' } | { orderId: string };
    accounts: number;
    drift: number;
    details: unknown[];
  };
}

export interface CheckLedgerResult {
  accounts: number;
  drift: number;
}
