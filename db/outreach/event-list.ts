import { z } from 'zod';
import type { InboxItem, InboxStatus } from '../../domain/api/inbox.ts';
import type { Page } from '../../domain/api/primitives.ts';
import { decodeCursor, keyText, microseconds, pageOf } from '../../domain/cursor.ts';
import { type Database, rows } from '../database.ts';
import { atMicroseconds, toMicroseconds } from './keyset.ts';

interface EventRecord {
  eventId: string;
  eventType: string;
  status: InboxStatus;
  receivedAt: Date;
  at: number;
  error: string | null;
}

/** What the platform sent to the tenant, newest first. */
export async function listInboxEvents(
  db: Database,
  tenantId: string,
  { limit, cursor, status }: { limit: number; cursor?: string | undefined; status?: InboxStatus | undefined },
): Promise<Page<InboxItem>> {
  const after = decodeCursor(z.tuple([microseconds, keyText]), cursor);
  const found = await rows<EventRecord>(
    db,
    `select event_id as "eventId", event_type as "eventType", status, received_at as "receivedAt",
       ${toMicroseconds('received_at')} as at, error
     from event_inbox where tenant_id = :tenantId
       ${status ? 'and status = :status' : ''}
       ${after ? `and (received_at, event_id) < (${atMicroseconds('at')}, :eventId)` : ''}
     order by received_at desc, event_id desc limit :rows`,
    { tenantId, status: status ?? null, rows: limit + 1, at: after?.[0] ?? null, eventId: after?.[1] ?? null },
  );
  return pageOf(
    found,
    limit,
    (row) => [row.at, row.eventId],
    ({ eventId, eventType, status, receivedAt, error }) => ({
      eventId,
      eventType,
      status,
      receivedAt: receivedAt.toISOString(),
      ...(error === null ? {} : { error }),
    }),
  );
}
