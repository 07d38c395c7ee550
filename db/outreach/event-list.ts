import { z } from 'zod';
import type { InboxItem, InboxKind, InboxStatus } from '../../domain/api/inbox.ts';
import type { Page } from '../../domain/api/primitives.ts';
import { decodeCursor, keyText, microseconds, pageOf } from '../../domain/cursor.ts';
import { type Database, rows } from '../database.ts';
import { atMicroseconds, toMicroseconds } from './keyset.ts';

/** SQL: why an event failed, the same for all that lacked the same sort of context. */
export const reasonSql = `regexp_replace(error, '^(There was no \\w+):.*( within [^:]*)$', '\\1\\2')`;

interface EventRecord {
  eventId: string;
  eventType: string;
  status: InboxStatus;
  receivedAt: Date;
  at: number;
  waitingFor: string | null;
  error: string | null;
}

export interface InboxFilter {
  limit: number;
  cursor?: string | undefined;
  status?: InboxStatus | undefined;
  eventType?: string | undefined;
  waiting?: 'true' | 'false' | undefined;
  reason?: string | undefined;
}

/** What the platform sent to the tenant, newest first. */
export async function listInboxEvents(db: Database, tenantId: string, filter: InboxFilter): Promise<Page<InboxItem>> {
  const { limit, cursor, status, eventType, waiting, reason } = filter;
  const after = decodeCursor(z.tuple([microseconds, keyText]), cursor);
  const found = await rows<EventRecord>(
    db,
    `select event_id as "eventId", event_type as "eventType", status, received_at as "receivedAt",
       ${toMicroseconds('received_at')} as at, waiting_for as "waitingFor", error
     from event_inbox where tenant_id = :tenantId
       ${status ? 'and status = :status' : ''}
       ${eventType ? 'and event_type = :eventType' : ''}
       ${waiting ? `and status = 'stored' and (waiting_for is not null) = :waits` : ''}
       ${reason ? `and status = 'failed' and ${reasonSql} = :reason` : ''}
       ${after ? `and (received_at, event_id) < (${atMicroseconds('at')}, :eventId)` : ''}
     order by received_at desc, event_id desc limit :rows`,
    {
      tenantId,
      ...(status ? { status } : {}),
      ...(eventType ? { eventType } : {}),
      ...(waiting ? { waits: waiting === 'true' } : {}),
      ...(reason ? { reason } : {}),
      ...(after ? { at: after[0], eventId: after[1] } : {}),
      rows: limit + 1,
    },
  );
  return pageOf(
    found,
    limit,
    (row) => [row.at, row.eventId],
    ({ eventId, eventType, status, receivedAt, waitingFor, error }) => ({
      eventId,
      eventType,
      status,
      receivedAt: receivedAt.toISOString(),
      ...(waitingFor === null ? {} : { waitingFor }),
      ...(error === null ? {} : { error }),
    }),
  );
}

/** Kinds that one summary names at most. */
const NAMED = 100;

/** What is not processed, by kind, the largest first. */
export async function summariseInbox(db: Database, tenantId: string): Promise<InboxKind[]> {
  const found = await rows<Omit<InboxKind, 'oldestReceivedAt'> & { oldest: Date }>(
    db,
    `select status, event_type as "eventType", split_part(waiting_for, ':', 1) as "waitingFor", ${reasonSql} as reason,
       count(*) as count, min(received_at) as oldest
     from event_inbox where tenant_id = :tenantId and status in ('stored', 'failed')
     group by 1, 2, 3, 4 order by count(*) desc, 1, 2, 3, 4 limit ${NAMED}`,
    { tenantId },
  );
  return found.map(({ oldest, ...kind }) => ({ ...kind, oldestReceivedAt: oldest.toISOString() }));
}
