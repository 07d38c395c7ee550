import type { Retention } from '#domain/retention.ts';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { neededSends } from './sends.ts';

/** Tables that are partitioned by month, and which retention they have. */
export const partitionedTables = {
  event_inbox: 'events',
  click_attribution: 'timeline',
  conversation: 'timeline',
  contact_event: 'timeline',
  contact_profile_past: 'timeline',
  tag_assignment_past: 'timeline',
  dispatch_chunk: 'recipients',
  dispatch_control: 'recipients',
  audience_drift: 'recipients',
  audit_log: 'audit',
} as const satisfies Record<string, keyof Retention>;

export type PartitionedTable = keyof typeof partitionedTables;

/** The first day of a month, `2026-11-01`. */
export type Month = string;

const monthAfter = (now: Date, months: number): Month =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months)).toISOString().slice(0, 10);

/** Two more than the current one: their partitions are there however late the next run is. */
const MONTHS_AHEAD = 2;

/** By one process at a time: another would find the partition missing, too, and fail to create it a second time. */
function addMonth(database: Database, table: string, month: Month): Promise<boolean> {
  return database.transaction(async (transaction) => {
    await rows(transaction, `select pg_advisory_xact_lock(hashtextextended('add_month', 0))`, {});
    const row = await firstRow<{ added: boolean }>(transaction, 'select add_month(:table, :month::date) as added', {
      table,
      month,
    });
    return row?.added === true;
  });
}

/**
 * Adds the partitions of the current and the coming months. A month whose rows came before its partition stays in the
 * partition of what has none of its own.
 * @returns those that were added, as `table month`.
 */
export async function addMonths(database: Database, now: Date): Promise<string[]> {
  const added: string[] = [];
  for (const table of Object.keys(partitionedTables))
    for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead += 1) {
      const month = monthAfter(now, ahead);
      if (await addMonth(database, table, month)) added.push(`${table} ${month}`);
    }
  return added;
}

/** The names of a table's partitions. */
export async function partitionsOf(database: Database, table: string): Promise<string[]> {
  const found = await rows<{ name: string }>(
    database,
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = to_regclass(:table) order by 1`,
    { table },
  );
  return found.map(({ name }) => name);
}

/** Months of the table that ended before `before`, the oldest first. */
export async function endedMonths(database: Database, table: PartitionedTable, before: Date): Promise<Month[]> {
  const months = (await partitionsOf(database, table)).flatMap((name) => {
    const [, year, month] = /_(\d{4})_(\d{2})$/.exec(name) ?? [];
    return year && month ? [`${year}-${month}-01`] : [];
  });
  return months.filter((month) => monthAfter(new Date(month), 1) <= before.toISOString().slice(0, 10));
}

/** SQL: the rows of a month, by the column of which the table is partitioned. */
const ofMonth = (column: string, type: 'timestamp with time zone' | 'text') => {
  const bound = (month: string) => {
    const text = `month_bound('${type}', ${month})`;
    return type === 'text' ? text : `${text}::timestamptz`;
  };
  return `${column} >= ${bound(':month::date')} and ${column} < ${bound(`(:month::date + interval '1 month')::date`)}`;
};

const sendsOfMonth = ofMonth('d.dispatch_id', 'text');

const neededRecipients = `select 1 from dispatch d join campaign c using (campaign_id)
  where ${sendsOfMonth} and ${neededSends}`;

/** What must not be dropped, however old it is. */
const stillNeeded: Partial<Record<PartitionedTable, string>> = {
  event_inbox: `select 1 from event_inbox e where e.status = 'stored' and ${ofMonth('e.received_at', 'timestamp with time zone')}`,
  dispatch_chunk: neededRecipients,
  dispatch_control: neededRecipients,
  audience_drift: neededRecipients,
};

async function isNeeded(
  transaction: Transaction,
  table: PartitionedTable,
  bindings: { month: Month; before: Date },
): Promise<boolean> {
  const sql = stillNeeded[table];
  return sql !== undefined && (await firstRow(transaction, `${sql} limit 1`, bindings)) !== null;
}

/** Before the lists are dropped: a set that is being built from them is waited for. */
const forgetReach = `delete from dispatch_reach d where ${sendsOfMonth}`;

const markSends = `update dispatch d set recipients_deleted_at = :now where ${sendsOfMonth} and recipients_deleted_at is null`;

/**
 * Drops a month of which everything is older than `before`. Waits at most 2 s for those who read or write the table.
 * @returns false if it still has events that are not handled, or recipients of a send that is younger or not over.
 */
export function dropMonth(
  database: Database,
  table: PartitionedTable,
  { month, before, now }: { month: Month; before: Date; now: Date },
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    if (await isNeeded(transaction, table, { month, before })) return false;
    if (table === 'dispatch_chunk') {
      await rows(transaction, forgetReach, { month });
      await rows(transaction, markSends, { month, now });
    }
    await rows(transaction, 'select drop_month(:table, :month::date)', { table, month });
    return true;
  });
}

/** Gathers the statistics of a partitioned table as a whole. */
export async function analyzeTable(database: Database, table: PartitionedTable): Promise<void> {
  await rows(database, 'select analyze_partitioned(:table)', { table });
}
