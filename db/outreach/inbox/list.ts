import { z } from 'zod';
import type { InboxKind, InboxStatus } from '#domain/api/inbox.ts';
import type { Page } from '#domain/api/primitives.ts';
import { decodeCursor, keyText, moment, pageOf } from '#domain/cursor.ts';
import { type Database, rows } from '#db/database.ts';
import { type Described, READ_OF_MANY, type Subject, withSubjects } from './subjects.ts';
import { atMicroseconds, toMicroseconds } from '../sql-fragments.ts';

export interface InboxRecord {
  eventId: string;
  eventType: string;
  status: InboxStatus;
  receivedAt: Date;
  at: string;
  waitingFor: string | null;
  attempts: number;
  nextAttemptAt: Date;
  error: string | null;
  subject: Subject;
}

type StoredRecord = Omit<InboxRecord, 'subject'> & Described;

export interface InboxFilter {
  limit: number;
  cursor?: string | undefined;
  eventId?: string | undefined;
  /** An event's id or a contact's. */
  q?: string | undefined;
  campaignId?: string | undefined;
  status?: InboxStatus | undefined;
  eventType?: string | undefined;
  waiting?: 'true' | 'false' | undefined;
  reason?: string | undefined;
}

const columns = `event_id, event_type, status, received_at, ${toMicroseconds('received_at')} as at, waiting_for, error,
  attempts, next_attempt_at, contact_id, campaign_id, service_number_id, case when length(payload) <= ${READ_OF_MANY} then payload end as payload`;

/** The states to look in, each by itself; one that stands for all of them where every index has them in one order. */
function statesOf({ status, eventType, waiting, reason, campaignId }: InboxFilter): string[] {
  if (!status && !eventType && !waiting && !reason && campaignId === undefined) return ['true'];
  const states: { of: InboxStatus; waits?: 'true' | 'false'; sql: string }[] = [
    { of: 'processed', sql: `status = 'processed'` },
    { of: 'failed', sql: `status = 'failed' ${reason ? 'and kind = :reason' : ''}` },
    { of: 'dismissed', sql: `status = 'dismissed'` },
    { of: 'stored', waits: 'true', sql: `status = 'stored' and (waiting_for is null) = false` },
    { of: 'stored', waits: 'false', sql: `status = 'stored' and (waiting_for is null) = true` },
  ];
  const wanted = states.filter(
    ({ of, waits }) => (!status || of === status) && (!waiting || waits === waiting) && (!reason || of === 'failed'),
  );
  return wanted.length === 0 ? ['false'] : wanted.map(({ sql }) => sql);
}

/**
 * One page of events, newest first. Each status has its own indexes, and due events are indexed apart from waiting
 * ones: finding a few of either by time alone would read everything that was processed. The same holds for what is found
 * by its own id and by a contact's.
 */
function listSql(filter: InboxFilter): string {
  const { cursor, eventId, q, campaignId, eventType } = filter;
  const listed = (
    condition: string,
  ) => `(select ${columns} from event_inbox where tenant_id = :tenantId and ${condition}
    ${eventId === undefined ? '' : 'and event_id = :eventId'}
    ${campaignId === undefined ? '' : 'and campaign_id = :campaignId'}
    ${eventType ? 'and event_type = :eventType' : ''}
    ${cursor ? `and (received_at, event_id) < (${atMicroseconds('at')}, :after)` : ''}
    order by received_at desc, event_id desc limit :rows)`;
  const searched = q === undefined ? ['true'] : ['event_id = :q', 'contact_id = :q and event_id <> :q'];
  const parts = statesOf(filter).flatMap((state) => searched.map((search) => listed(`${state} and ${search}`)));
  if (parts.length === 1) return parts.join('');
  return `select * from (${parts.join(' union all ')}) apart order by received_at desc, event_id desc limit :rows`;
}

/** What the platform sent to the tenant, newest first. */
export async function listInboxEvents(
  database: Database,
  tenantId: string,
  filter: InboxFilter,
): Promise<Page<InboxRecord>> {
  const { limit, cursor, eventId, q, campaignId, status, eventType, reason } = filter;
  const after = decodeCursor(z.tuple([moment, keyText]), cursor);
  const found = await rows<StoredRecord>(database, listSql(filter), {
    tenantId,
    eventId,
    q,
    campaignId,
    status,
    eventType,
    reason,
    at: after?.[0],
    after: after?.[1],
    rows: limit + 1,
  });
  const { items, nextCursor } = pageOf(found, limit, (row) => [row.at, row.eventId]);
  const described = await withSubjects(database, tenantId, items);
  return { items: described.map(({ event, subject }) => ({ ...event, subject })), nextCursor };
}

/** Maximum number of kinds in one summary. */
const NAMED = 100;

export type InboxKindRecord = Omit<InboxKind, 'oldestReceivedAt'> & { oldestReceivedAt: Date };

/** Unprocessed events by kind, the largest first. */
export function summariseInbox(database: Database, tenantId: string): Promise<InboxKindRecord[]> {
  return rows<InboxKindRecord>(
    database,
    `select status, event_type, case when status = 'stored' then kind end as waiting_for,
       case when status = 'failed' then kind end as reason, count(*) as count, min(received_at) as oldest_received_at
     from event_inbox where tenant_id = :tenantId and status in ('stored', 'failed')
     group by status, event_type, kind order by count(*) desc, 1, 2, 3, 4 limit ${NAMED}`,
    { tenantId },
  );
}
