import type { Database } from '#db/database.ts';
import { type LedgerCheck, recordLedgerCheck } from '#db/orders/books/check.ts';
import { type Drifting, lookAgain, lookAtAll, lookAtChanged, type Subject } from '#db/orders/books/look.ts';

/** What a look is at: what was written since the last one, then a part of everything, then what did not fit. */
type Position = { state: 'changed' } | { state: 'all' } | { state: 'known'; after: Subject | null };

interface CheckedPage {
  /** How many accounts of points were looked at. */
  accounts: number;
  drifting: Drifting[];
  next: Position | null;
}

/** How long one activity goes on; its pages take a fraction of a second each. */
const LOOK_MS = 15_000;

/** Balances compared with entries. */
export function createLedgerActivities({ database }: { database: Database }) {
  return {
    /**
     * A part of a look at accounts of points and the cash of orders. @param after null, or a position of an earlier
     * release, begins a look. @returns where to go on; null at the end.
     */
    async checkAccounts({ after }: { after: Position | Subject | null }): Promise<CheckedPage> {
      const position: Position = after && 'state' in after ? after : { state: 'changed' };
      const until = Date.now() + LOOK_MS;
      if (position.state === 'changed') {
        const { accounts, done } = await lookAtChanged(database, until);
        return { accounts, drifting: [], next: { state: done ? 'all' : 'changed' } };
      }
      if (position.state === 'all') {
        const { accounts } = await lookAtAll(database, until);
        return { accounts, drifting: [], next: { state: 'known', after: null } };
      }
      const { accounts, drifting, next } = await lookAgain(database, position.after);
      return { accounts, drifting, next: next && { state: 'known', after: next } };
    },

    recordLedgerCheck: (check: LedgerCheck): Promise<void> => recordLedgerCheck(database, check),
  };
}
