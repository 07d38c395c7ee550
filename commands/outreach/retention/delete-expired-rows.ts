import { type Database, firstRow } from '#db/database.ts';
import { forgetEntries } from '#db/outreach/automations/forgetting.ts';
import {
  deleteOfSend,
  deleteSome,
  expiredSend,
  forgetAudit,
  ROWS_AT_ONCE,
} from '#db/outreach/retention/expired-rows.ts';
import { deleteOldEvents } from '#db/outreach/webhooks/retention.ts';
import { REPLACED_DAYS } from '#domain/contacts/replaced.ts';
import { keptSince, type Retention } from '#domain/retention.ts';
import { RULE_HISTORY_DAYS } from '#domain/rules/triggers.ts';

interface Expiring {
  table: string;
  /** SQL: which rows are older than `:before`. */
  expired: string;
  days: (retention: Retention) => number;
}

/** A scan is kept as long as its sub-task could become due, plus a day. */
const SCAN_DAYS = RULE_HISTORY_DAYS + 1;

/** The rows of months without a partition of their own, and the tables that grow slowly. */
const expiring: Expiring[] = [
  {
    table: 'event_inbox_rest',
    expired: `received_at < :before and status <> 'stored'`,
    days: ({ events }) => events,
  },
  { table: 'click_attribution_rest', expired: 'clicked_at < :before', days: ({ timeline }) => timeline },
  { table: 'contact_event_rest', expired: 'occurred_at < :before', days: ({ timeline }) => timeline },
  { table: 'conversation_rest', expired: 'opened_at < :before', days: ({ timeline }) => timeline },
  { table: 'contact_revenue_entry', expired: 'at < :before', days: ({ timeline }) => timeline },
  { table: 'tag_assignment_past_rest', expired: 'until < :before', days: ({ timeline }) => timeline },
  { table: 'contact_profile_past_rest', expired: 'until < :before', days: ({ timeline }) => timeline },
  { table: 'broadcast_task_past', expired: 'until < :before', days: ({ timeline }) => timeline },
  { table: 'tag_past', expired: 'until < :before', days: ({ timeline }) => timeline },
  { table: 'campaign_transition', expired: 'at < :before', days: ({ audit }) => audit },
  { table: 'copywriting', expired: 'created_at < :before', days: ({ events }) => events },
  { table: 'audience_count', expired: 'counted_at < :before', days: ({ events }) => events },
  {
    table: 'audience_replaced',
    expired: 'audience_id in (select audience_id from audience where replaced_at < :before)',
    days: () => REPLACED_DAYS,
  },
  { table: 'dry_run', expired: 'created_at < :before', days: ({ recipients }) => recipients },
  { table: 'test_send', expired: 'created_at < :before', days: ({ timeline }) => timeline },
  { table: 'idempotent_call', expired: 'expires_at < :before', days: () => 0 },
  { table: 'no_response_scan', expired: 'scanned_at < :before', days: () => SCAN_DAYS },
];

/** Recipients of the oldest send that has some without a partition, and whose retention has passed. */
function deleteRecipients(database: Database, before: Date, now: Date): Promise<number> {
  return database.transaction(async (transaction) => {
    const send = await firstRow<{ dispatchId: string }>(transaction, expiredSend, { before });
    return send ? await deleteOfSend(transaction, send.dispatchId, now) : 0;
  });
}

/**
 * Deletes some of the rows that are not in a partition of their own month and whose retention has passed. Roll-ups
 * keep what they have counted. Safe to repeat.
 * @returns how many; 0 once there are none left.
 */
export async function deleteExpiredRows(database: Database, retention: Retention, now: Date): Promise<number> {
  for (const { table, expired, days } of expiring) {
    const deleted = await deleteSome(database, table, expired, { before: keptSince(days(retention), now) });
    if (deleted > 0) return deleted;
  }
  const told = await deleteOldEvents(database, { now, limit: ROWS_AT_ONCE });
  if (told > 0) return told;
  const entries = await forgetEntries(database, {
    before: keptSince(retention.recipients, now),
    limit: ROWS_AT_ONCE,
  });
  if (entries > 0) return entries;
  const forgotten = await forgetAudit(database, keptSince(retention.audit, now));
  if (forgotten > 0) return forgotten;
  return await deleteRecipients(database, keptSince(retention.recipients, now), now);
}
