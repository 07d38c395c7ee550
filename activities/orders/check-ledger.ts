import type { Database } from '#db/database.ts';
import { type DriftingOrder, findDriftingOrders } from '#db/orders/books/cash-check.ts';
import {
  type AccountPosition,
  type DriftingAccount,
  findDriftingAccounts,
  type LedgerCheck,
  recordLedgerCheck,
} from '#db/orders/books/check.ts';

/** Accounts come first, then orders. */
type Position = AccountPosition | { orderId: string };

interface CheckedPage {
  /** How many accounts of points it had. */
  accounts: number;
  drifting: (DriftingAccount | DriftingOrder)[];
  next: Position | null;
}

const PAGE = 1000;

/** Below every id. */
const FIRST_ORDER = { orderId: '' };

async function checkOrders(database: Database, { orderId }: { orderId: string }): Promise<CheckedPage> {
  const { drifting, next } = await findDriftingOrders(database, { after: orderId, limit: PAGE });
  return { accounts: 0, drifting, next: next === null ? null : { orderId: next } };
}

/** Balances compared with entries. */
export function createLedgerActivities({ database }: { database: Database }) {
  return {
    /** A page of accounts of points, or of the cash of orders. @returns where to go on; null at the end. */
    async checkAccounts({ after }: { after: Position | null }): Promise<CheckedPage> {
      if (after !== null && 'orderId' in after) return checkOrders(database, after);
      const page = await findDriftingAccounts(database, { after, limit: PAGE });
      return { ...page, next: page.next ?? FIRST_ORDER };
    },

    recordLedgerCheck: (check: LedgerCheck): Promise<void> => recordLedgerCheck(database, check),
  };
}
