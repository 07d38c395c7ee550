import { type Database, firstRow, rows } from '#db/database.ts';
import { compareOrders, type DriftingOrder, findDriftingOrders } from './cash-check.ts';
import { type AccountPosition, compareAccounts, type DriftingAccount } from './check.ts';
import { lastWritten, type Written } from './written.ts';

/**
 * Looks at the books: at what was written since the last look, at a part of everything while the look at all of it is due,
 * and again at what did not fit. What does not fit is remembered until it does.
 */

/** Accounts or orders a statement, or rows of each table that says what changed. */
const PAGE = 1000;

export type Subject = AccountPosition | { orderId: string };
export type Drifting = DriftingAccount | DriftingOrder;

/** How much was compared. */
export interface Looked {
  accounts: number;
  orders: number;
}

const subjectOf = (of: Subject): Subject =>
  'orderId' in of ? { orderId: of.orderId } : { tenantId: of.tenantId, userId: of.userId, kind: of.kind };

async function remember(database: Database, drifting: readonly Drifting[]): Promise<void> {
  if (drifting.length === 0) return;
  await database.raw(
    `insert into ledger_drift (subject) select * from jsonb_array_elements(cast(:subjects as jsonb))
     on conflict (subject) do nothing`,
    { subjects: JSON.stringify(drifting.map(subjectOf)) },
  );
}

/** SQL for the ids of a table between two looks. */
const between = (id: string, name: keyof Written) => `${id} > :${name} and ${id} <= :${name}Through`;

/** Also of orders that moved: what moves one books what it holds and owes. */
const changedAccounts = `select * from point_account where (tenant_id, user_id, kind) in (
    select tenant_id, user_id, kind from ledger_entry where ${between('entry_id', 'ledgerEntry')}
    union select o.points_tenant_id, o.user_id, w.kind
      from order_transition t join customer_order o using (order_id)
        cross join lateral (values ('district', o.district_points), ('tenant', o.tenant_points),
          ('wallet', o.wallet_points)) w (kind, amount)
      where w.amount > 0 and ${between('t.transition_id', 'orderTransition')})`;

const changedOrders = `select * from customer_order where order_id in (
    select order_id from cash_entry where ${between('entry_id', 'cashEntry')}
    union select order_id from order_transition where ${between('transition_id', 'orderTransition')})`;

const isBefore = (one: Written, other: Written) =>
  one.ledgerEntry < other.ledgerEntry || one.cashEntry < other.cashEntry || one.orderTransition < other.orderTransition;

async function comparePage(database: Database, from: Written, to: Written): Promise<Looked> {
  const bindings = {
    ...from,
    ledgerEntryThrough: to.ledgerEntry,
    cashEntryThrough: to.cashEntry,
    orderTransitionThrough: to.orderTransition,
  };
  const accounts = await compareAccounts(database, changedAccounts, bindings);
  const orders = await compareOrders(database, changedOrders, bindings);
  await remember(database, [...accounts.drifting, ...orders.drifting]);
  await database.raw(
    `update ledger_look set ledger_entry = :ledgerEntry, cash_entry = :cashEntry, order_transition = :orderTransition`,
    { ...to },
  );
  return { accounts: accounts.compared, orders: orders.compared };
}

/** The next page of what was written. */
const pageAfter = (from: Written, through: Written): Written => ({
  ledgerEntry: Math.min(from.ledgerEntry + PAGE, through.ledgerEntry),
  cashEntry: Math.min(from.cashEntry + PAGE, through.cashEntry),
  orderTransition: Math.min(from.orderTransition + PAGE, through.orderTransition),
});

/**
 * Compares the accounts and orders about which anything was written since the last look.
 * @param until when to stop, between two pages
 * @returns also whether it got to the end
 */
export async function lookAtChanged(database: Database, until: number): Promise<Looked & { done: boolean }> {
  const looked = { accounts: 0, orders: 0 };
  const through = await lastWritten(database);
  let from = await firstRow<Written>(
    database,
    'select ledger_entry, cash_entry, order_transition from ledger_look',
    {},
  );
  while (from && isBefore(from, through)) {
    if (Date.now() > until) return { ...looked, done: false };
    const to = pageAfter(from, through);
    const page = await comparePage(database, from, to);
    looked.accounts += page.accounts;
    looked.orders += page.orders;
    from = to;
  }
  return { ...looked, done: true };
}

/** A look at everything begins so long after the one before began. */
const ALL_EVERY = `interval '7 days'`;

const isUnderWay = 'all_began_at >= all_completed_at';

const accountsAfter = (after: AccountPosition | null) => `select * from point_account
  ${after ? 'where (tenant_id, user_id, kind) > (:tenantId, :userId, :kind)' : ''}
  order by tenant_id, user_id, kind limit :limit`;

interface Page extends Looked {
  drifting: Drifting[];
  next: Subject | null;
}

/** Accounts come first, then orders. */
async function compareAll(database: Database, after: Subject | null): Promise<Page> {
  if (after && 'orderId' in after) {
    const { compared, drifting, last } = await findDriftingOrders(database, { after: after.orderId, limit: PAGE });
    const next = compared === PAGE && last !== null ? { orderId: last } : null;
    return { accounts: 0, orders: compared, drifting, next };
  }
  const page = await compareAccounts(database, accountsAfter(after), { ...after, limit: PAGE });
  const { compared, drifting, last } = page;
  return { accounts: compared, orders: 0, drifting, next: compared === PAGE ? last : { orderId: '' } };
}

/** Goes on with the look at everything, or begins it if it is due. @param until when to stop, between two pages */
export async function lookAtAll(database: Database, until: number): Promise<Looked> {
  const looked = { accounts: 0, orders: 0 };
  const begun = await firstRow<{ after: Subject | null }>(
    database,
    `update ledger_look set all_began_at = case when ${isUnderWay} then all_began_at else clock_timestamp() end,
       all_after = case when ${isUnderWay} then all_after end
     where all_began_at is null or ${isUnderWay} or all_began_at <= now() - ${ALL_EVERY}
     returning all_after as after`,
    {},
  );
  if (!begun) return looked;
  let { after } = begun;
  while (Date.now() <= until) {
    const page = await compareAll(database, after);
    looked.accounts += page.accounts;
    looked.orders += page.orders;
    after = page.next;
    await remember(database, page.drifting);
    await database.raw(
      `update ledger_look set all_after = cast(:after as jsonb)
         ${after ? '' : ', all_completed_at = clock_timestamp()'}`,
      { after: after && JSON.stringify(after) },
    );
    if (!after) break;
  }
  return looked;
}

const knownAccounts = `select a.* from jsonb_to_recordset(cast(:subjects as jsonb))
    as s ("tenantId" text, "userId" text, kind text)
  join point_account a on a.tenant_id = s."tenantId" and a.user_id = s."userId" and a.kind = s.kind`;

const knownOrders = `select o.* from jsonb_to_recordset(cast(:subjects as jsonb)) as s ("orderId" text)
  join customer_order o on o.order_id = s."orderId"`;

/** Compares a page of what did not fit when it was last looked at, and forgets what does now. */
export async function lookAgain(database: Database, after: Subject | null): Promise<Page> {
  const found = await rows<{ subject: Subject }>(
    database,
    `select subject from ledger_drift where cast(:after as jsonb) is null or subject > cast(:after as jsonb)
     order by subject limit :limit`,
    { after: after && JSON.stringify(after), limit: PAGE },
  );
  const subjects = found.map(({ subject }) => subjectOf(subject));
  const bindings = { subjects: JSON.stringify(subjects) };
  const accounts = await compareAccounts(database, knownAccounts, bindings);
  const orders = await compareOrders(database, knownOrders, bindings);
  const drifting = [...accounts.drifting, ...orders.drifting];
  const still = new Set(drifting.map((one) => JSON.stringify(subjectOf(one))));
  await database.raw(
    `delete from ledger_drift where subject in (select * from jsonb_array_elements(cast(:fitting as jsonb)))`,
    { fitting: JSON.stringify(subjects.filter((subject) => !still.has(JSON.stringify(subject)))) },
  );
  return {
    accounts: accounts.compared,
    orders: orders.compared,
    drifting,
    next: subjects.length === PAGE ? (subjects.at(-1) ?? null) : null,
  };
}
