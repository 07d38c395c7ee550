import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { neededSends } from './sends.ts';

/** Rows that one statement deletes, at most: events keep arriving in the meantime. */
export const ROWS_AT_ONCE = 5000;

/** Deletes at most `ROWS_AT_ONCE` rows of one partition or plain table that meet the condition. @returns how many. */
export async function deleteSome(
  database: Database,
  table: string,
  condition: string,
  bindings: Record<string, unknown>,
): Promise<number> {
  const deleted = await rows(
    database,
    `delete from ${table} where ctid = any(array(
       select ctid from ${table} where ${condition} limit ${ROWS_AT_ONCE} for update)) returning 1`,
    bindings,
  );
  return deleted.length;
}

export const expiredSend = `
  select d.dispatch_id from dispatch d join campaign c using (campaign_id)
  where d.recipients_deleted_at is null and d.created_at < :before and not ${neededSends}
    and exists (select 1 from dispatch_chunk_rest r where r.dispatch_id = d.dispatch_id)
  order by d.created_at limit 1 for update of d`;

export async function deleteOfSend(transaction: Transaction, dispatchId: string, now: Date): Promise<number> {
  const ofSend = 'dispatch_id = :dispatchId';
  await rows(transaction, `delete from dispatch_reach where ${ofSend}`, { dispatchId });
  let deleted = 0;
  // Its recipients last: by them it is found again.
  for (const table of ['audience_drift_rest', 'dispatch_control_rest', 'dispatch_chunk_rest']) {
    const some = await deleteSome(transaction, table, ofSend, { dispatchId });
    deleted += some;
    if (some === ROWS_AT_ONCE) return deleted;
  }
  await rows(transaction, 'update dispatch set recipients_deleted_at = :now where dispatch_id = :dispatchId', {
    dispatchId,
    now,
  });
  return deleted;
}

/** Entries that expired, which only the owner's function deletes; then their seals. */
export async function forgetAudit(database: Database, before: Date): Promise<number> {
  const row = await firstRow<{ removed: number }>(database, 'select forget_audit(:before, :limit) as removed', {
    before,
    limit: ROWS_AT_ONCE,
  });
  return row?.removed ?? 0;
}
