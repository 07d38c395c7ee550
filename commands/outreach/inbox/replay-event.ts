import { type Database, rows, type Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { dueAgain, type EventRecord, findInboxEvent, newestEvent } from '#db/outreach/inbox/replay.ts';
import { EventRow } from '#db/outreach/models/inbox.ts';
import type { BatchResult } from '#domain/api/batches.ts';
import { Problem } from '#domain/api/problem.ts';
import { changeEach } from '../batch.ts';

async function replay(transaction: Transaction, author: Author, before: EventRow | undefined): Promise<EventRow> {
  if (!before) throw new Problem('not_found', 'There is no event with this id');
  if (before.status !== 'failed' && before.status !== 'dismissed')
    throw new Problem('invalid_state', `An event that is ${before.status} cannot be replayed`);
  if (!before.payload) throw new Problem('invalid_state', 'The payload is no longer kept');
  const { tenantIntegrationId: integrationId, eventId } = before;
  await rows(transaction, `${dueAgain} where tenant_integration_id = :integrationId and event_id = :eventId`, {
    integrationId,
    eventId,
  });
  await recordAudit(transaction, author, {
    action: 'event.replay',
    objectType: 'event',
    objectId: eventId,
    before: { status: before.status, error: before.error },
    after: { status: 'stored' },
  });
  return before;
}

/**
 * Makes a failed or dismissed event due again. Of several concurrent calls, one does it.
 * @throws Problem `not_found`, `invalid_state` if it is neither or its payload was deleted.
 */
export function replayEvent(database: Database, author: Author, eventId: string): Promise<EventRecord> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    await replay(transaction, author, await newestEvent(transaction, tenantId, eventId).forUpdate());
    const after = await findInboxEvent(transaction, tenantId, eventId);
    if (!after) throw new Error(`event ${eventId} no longer exists`);
    return after;
  });
}

/** The same for several; one that is due stays so. @returns what became of each, and where to look for them. */
export async function replayEvents(
  database: Database,
  author: Author,
  eventIds: readonly string[],
): Promise<{ items: BatchResult[]; partitions: number[] }> {
  const partitions = new Set<number>();
  const items = await changeEach(database, eventIds, async (transaction, eventId) => {
    const before = await newestEvent(transaction, author.tenantId, eventId).forUpdate();
    if (before?.status === 'stored') return 'unchanged';
    partitions.add((await replay(transaction, author, before)).partition);
    return 'done';
  });
  return { items, partitions: [...partitions] };
}
