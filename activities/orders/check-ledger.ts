import type { Database } from '../../db/database.ts';
import {
  type AccountPosition,
  type DriftingAccount,
  findDriftingAccounts,
  type LedgerCheck,
  recordLedgerCheck,
} from '../../db/orders/books/check.ts';

const ACCOUNTS = 1000;

/** Balances compared with entries. */
export function createLedgerActivities({ database }: { database: Database }) {
  return {
    /** A page of accounts. @returns where to go on; null at the end. */
    checkAccounts: (given: {
      after: AccountPosition | null;
    }): Promise<{ accounts: number; drifting: DriftingAccount[]; next: AccountPosition | null }> =>
      findDriftingAccounts(database, { ...given, limit: ACCOUNTS }),

    recordLedgerCheck: (check: LedgerCheck): Promise<void> => recordLedgerCheck(database, check),
  };
}
