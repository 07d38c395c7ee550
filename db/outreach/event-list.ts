import { z } from 'zod';
import type { InboxEvent, InboxItem, InboxStatus } from '../../domain/api/inbox.ts';
import type { Page } from '../../domain/api/primitives.ts';
import { decodeCursor, keyText, microseconds, pageOf } from '../../domain/cursor.ts';
import { Problem } from '../../domain/api/problem.ts';
import { type Database, firstRow, rows } from '../database.ts';
import { type Author, recordAudit } from './audit.ts';
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

// An event id is unique within an integration; of a tenant that was installed again the newest is meant.
const selectEvent = `
  select tenant_integration_id as "tenantIntegrationId", event_id as "eventId", event_type as "eventType", status, partition,
    received_at as "receivedAt", occurred_at as "occurredAt", processed_at as "processedAt",
    service_number_id as "serviceNumberId", waiting_for as "waitingFor", error, payload
  from event_inbox where tenant_id = :tenantId and event_id = :eventId order by received_at desc limit 1`;

interface FullEventRecord {
  tenantIntegrationId: string;
  eventId: string;
  eventType: string;
  status: InboxStatus;
  partition: number;
  receivedAt: Date;
  occurredAt: Date;
  processedAt: Date | null;
  serviceNumberId: string | null;
  waitingFor: string | null;
  error: string | null;
  payload: string;
}

function present(row: FullEventRecord): InboxEvent {
  return {
    eventId: row.eventId,
    eventType: row.eventType,
    status: row.status,
    receivedAt: row.receivedAt.toISOString(),
    occurredAt: row.occurredAt.toISOString(),
    processedAt: row.processedAt?.toISOString() ?? null,
    serviceNumberId: row.serviceNumberId,
    waitingFor: row.waitingFor,
    payload: row.payload,
    ...(row.error === null ? {} : { error: row.error }),
  };
}

/** Undefined where the tenant received no such event. */
export async function findInboxEvent(db: Database, tenantId: string, eventId: string): Promise<InboxEvent | undefined> {
  const row = await firstRow<FullEventRecord>(db, selectEvent, { tenantId, eventId });
  return row ? present(row) : undefined;
}

/**
 * Makes a failed event due again. Of several calls at once one does it.
 * @throws Problem `not_found`, `invalid_state` where it has not failed.
 */
export function replayEvent(
  db: Database,
  author: Author,
  eventId: string,
): Promise<{ event: InboxEvent; partition: number }> {
  const { tenantId } = author;
  return db.transaction(async (transaction) => {
    const before = await firstRow<FullEventRecord>(transaction, `${selectEvent} for update`, { tenantId, eventId });
    if (!before) throw new Problem('not_found', 'There is no event of this id');
    if (before.status !== 'failed')
      throw new Problem('invalid_state', `An event that is ${before.status} cannot be replayed`);
    await rows(
      transaction,
      `update event_inbox set status = 'stored', error = null, waiting_for = null, processed_at = null,
         next_attempt_at = now()
       where tenant_integration_id = :integrationId and event_id = :eventId`,
      { integrationId: before.tenantIntegrationId, eventId },
    );
    await recordAudit(transaction, author, {
      action: 'event.replay',
      objectType: 'event',
      objectId: eventId,
      before: { status: before.status, error: before.error },
      after: { status: 'stored' },
    });
    const after = await firstRow<FullEventRecord>(transaction, selectEvent, { tenantId, eventId });
    return { event: present(after ?? before), partition: before.partition };
  });
}
