import type { PointKind } from '#domain/orders/administration.ts';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { transact } from '../transaction.ts';

/** An account, and where a page of accounts ended. */
export interface AccountPosition {
  tenantId: string;
  userId: string;
  kind: PointKind;
}

interface Sums {
  granted: number;
  available: number;
  reserved: number;
  committed: number;
}

/** An account whose balances are not the sums of its entries. */
export interface DriftingAccount extends AccountPosition {
  balances: Sums;
  entries: Sums;
}

const buckets = ['available', 'reserved', 'committed'] as const;
const sumOf = (bucket: string) => `coalesce(sum(amount) filter (where bucket = '${bucket}'), 0)`;

/**
 * Compares the balances of some accounts with their entries. One statement sees both as of the same moment and takes no
 * row lock, so that it neither waits for payments nor holds them up; it reads the accounts' entries by index.
 * @param source SQL for the accounts, in the order of their keys where that matters
 */
export async function compareAccounts(
  database: Database,
  source: string,
  bindings: Record<string, unknown>,
): Promise<{ compared: number; drifting: DriftingAccount[]; last: AccountPosition | null }> {
  const found = await rows<DriftingAccount & { drifts: boolean }>(
    database,
    `select a.tenant_id, a.user_id, a.kind, b.own as balances, s.sums as entries,
       b.own <> s.sums as drifts
     from (${source}) a
     cross join lateral (select jsonb_build_object('granted', a.granted,
       ${buckets.map((bucket) => `'${bucket}', a.${bucket}`).join(', ')}) as own) b
     cross join lateral (select jsonb_build_object('granted', coalesce(-sum(amount) filter (where bucket = 'granted'), 0),
         ${buckets.map((bucket) => `'${bucket}', ${sumOf(bucket)}`).join(', ')}) as sums
       from ledger_entry e where e.tenant_id = a.tenant_id and e.user_id = a.user_id and e.kind = a.kind) s
     order by a.tenant_id, a.user_id, a.kind`,
    bindings,
  );
  const last = found.at(-1);
  return {
    compared: found.length,
    drifting: found
      .filter(({ drifts }) => drifts)
      .map(({ tenantId, userId, kind, balances, entries }) => ({ tenantId, userId, kind, balances, entries })),
    last: last ? { tenantId: last.tenantId, userId: last.userId, kind: last.kind } : null,
  };
}

export interface LedgerCheck {
  /** How many accounts were looked at. */
  accounts: number;
  /** Accounts whose balances are not the sums of their entries, and orders whose cash entries do not fit. */
  drift: number;
  /** The first of the accounts and orders that drift. */
  details: unknown[];
}

/** Checks are kept for this long. */
const KEPT = `interval '90 days'`;

export async function recordLedgerCheck(database: Database, check: LedgerCheck): Promise<void> {
  await transact(database, async (transaction: Transaction) => {
    await transaction.raw(
      'insert into ledger_check (accounts, drift, details) values (:accounts, :drift, cast(:details as jsonb))',
      { ...check, details: JSON.stringify(check.details) },
    );
    await transaction.raw(`delete from ledger_check where checked_at < now() - ${KEPT}`);
  });
}

/** The result of the last check, how long ago it was, and how long ago everything was last looked at. */
export async function readLedgerFigures(
  database: Database,
): Promise<{ drift: number; ageSeconds: number; allAgeSeconds: number }> {
  const row = await firstRow<{ drift: number; ageSeconds: number; allAgeSeconds: number }>(
    database,
    `select c.drift, extract(epoch from now() - c.checked_at)::float8 as age_seconds,
       extract(epoch from now() - l.all_completed_at)::float8 as all_age_seconds
     from ledger_look l cross join ledger_check c order by c.checked_at desc limit 1`,
    {},
  );
  return row ?? { drift: 0, ageSeconds: 0, allAgeSeconds: 0 };
}
