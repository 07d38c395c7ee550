import { Problem } from '../../../domain/api/problem.ts';
import type { Database } from '../../database.ts';
import { type Author, recordAudit } from '../audit/record.ts';
import { EventRow } from '../models/inbox.ts';
import { type EventRecord, findInboxEvent, newestEvent } from './replay.ts';

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
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    const before = await newestEvent(transaction, tenantId, eventId).forUpdate();
    if (!before) throw new Problem('not_found', 'There is no event with this id');
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
    const after = await findInboxEvent(transaction, tenantId, eventId);
    if (!after) throw new Error(`event ${eventId} no longer exists`);
    return after;
  });
}
