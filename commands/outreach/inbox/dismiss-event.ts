import type { Database, Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { type EventRecord, findInboxEvent, newestEvent } from '#db/outreach/inbox/replay.ts';
import { EventRow } from '#db/outreach/models/inbox.ts';
import type { BatchResult } from '#domain/api/batches.ts';
import { Problem } from '#domain/api/problem.ts';
import { type Change, changeEach } from '../batch.ts';

interface Dismissal {
  eventId: string;
  reason: string;
}

async function dismiss(transaction: Transaction, author: Author, { eventId, reason }: Dismissal): Promise<Change> {
  const before = await newestEvent(transaction, author.tenantId, eventId).forUpdate();
  if (!before) throw new Problem('not_found', 'There is no event with this id');
  if (before.status === 'dismissed') return 'unchanged';
  if (before.status !== 'failed')
    throw new Problem('invalid_state', `An event that is ${before.status} cannot be dismissed`);
  await EventRow.query(transaction).findById(before.$id()).patch({ status: 'dismissed' });
  await recordAudit(transaction, author, {
    action: 'event.dismiss',
    objectType: 'event',
    objectId: eventId,
    before: { status: before.status, error: before.error },
    after: { status: 'dismissed', reason },
  });
  return 'done';
}

/**
 * Puts a failed event aside: nobody is asked to look at it any more. Why it failed stays with it, and the reason for
 * dismissing it is in the audit log. Of several concurrent calls, one does it.
 * @throws Problem `not_found`, `invalid_state` if it has not failed.
 */
export function dismissEvent(
  database: Database,
  author: Author,
  eventId: string,
  reason: string,
): Promise<EventRecord> {
  return database.transaction(async (transaction) => {
    if ((await dismiss(transaction, author, { eventId, reason })) === 'unchanged')
      throw new Problem('invalid_state', 'An event that is dismissed cannot be dismissed');
    const after = await findInboxEvent(transaction, author.tenantId, eventId);
    if (!after) throw new Error(`event ${eventId} no longer exists`);
    return after;
  });
}

/** The same for several; one that is dismissed stays so. @returns what became of each. */
export function dismissEvents(
  database: Database,
  author: Author,
  { eventIds, reason }: { eventIds: readonly string[]; reason: string },
): Promise<BatchResult[]> {
  return changeEach(database, eventIds, (transaction, eventId) => dismiss(transaction, author, { eventId, reason }));
}
