import type { BatchResult } from '../../../domain/api/batches.ts';
import { Problem } from '../../../domain/api/problem.ts';
import { type Database, firstRow, rows, type Transaction } from '../../database.ts';
import { type Author, recordAudit } from '../audit/record.ts';
import { changeEach } from '../batch.ts';
import { EventRow } from '../models/inbox.ts';
import { type Subject, withSubjects } from './subjects.ts';

/** An event with its subject. */
export interface EventRecord {
  event: EventRow;
  subject: Subject;
}

/** An event id is unique within an integration; for a tenant that was reinstalled, the newest one is meant. */
export const newestEvent = (database: Database, tenantId: string, eventId: string) =>
  EventRow.query(database).where({ tenantId, eventId }).orderBy('receivedAt', 'desc').limit(1).first();

/** Null if the tenant received no such event. */
export async function findInboxEvent(
  database: Database,
  tenantId: string,
  eventId: string,
): Promise<EventRecord | null> {
  const event = await newestEvent(database, tenantId, eventId);
  const [described = null] = await withSubjects(database, tenantId, event ? [event] : []);
  return described;
}

const dueAgain = `update event_inbox set status = 'stored', error = null, waiting_for = null, processed_at = null,
    next_attempt_at = now()`;

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

/** Events per transaction: the drains proceed with them in the meantime, and nothing waits long for their locks. */
const REPLAYED_AT_ONCE = 5000;
/** A caller is waiting; the rest stays failed and can be replayed by another call. */
const REPLAY_MS = 20_000;

interface Kind {
  eventType: string;
  reason?: string | undefined;
}

const dueOfKind = (reason: string | undefined) => `
  tenant_id = :tenantId and status = 'failed' and event_type = :eventType
  and payload <> '' and coalesce(processed_at, received_at) <= :began::timestamptz
  ${reason === undefined ? '' : 'and kind = :reason'}`;

interface Begun extends Kind {
  /** When the call began: what fails again after that is left to the next call. */
  began: string;
}

const bindingsOf = (tenantId: string, { eventType, reason, began }: Begun) => ({
  tenantId,
  eventType,
  began,
  ...(reason === undefined ? {} : { reason }),
});

async function countLeft(database: Database, tenantId: string, kind: Begun): Promise<number> {
  const found = await firstRow<{ count: number }>(
    database,
    `select count(*) as count from event_inbox where ${dueOfKind(kind.reason)}`,
    bindingsOf(tenantId, kind),
  );
  return found?.count ?? 0;
}

/** Some of the events that failed up to `began`. */
function replaySome(
  database: Database,
  author: Author,
  kind: Begun,
): Promise<{ replayed: number; partitions: number[] }> {
  const { eventType, reason } = kind;
  return database.transaction(async (transaction) => {
    const found = await rows<{ partition: number; count: number }>(
      transaction,
      `with due as (${dueAgain}
         where (tenant_integration_id, event_id, received_at) in (select tenant_integration_id, event_id, received_at
           from event_inbox
           where ${dueOfKind(reason)}
           order by received_at desc, event_id desc limit ${REPLAYED_AT_ONCE} for update)
         returning partition)
       select partition, count(*) as count from due group by partition order by partition`,
      bindingsOf(author.tenantId, kind),
    );
    const replayed = found.reduce((sum, { count }) => sum + count, 0);
    if (replayed > 0)
      await recordAudit(transaction, author, {
        action: 'event.replay_kind',
        objectType: 'event',
        objectId: eventType,
        before: { status: 'failed', ...(reason === undefined ? {} : { reason }) },
        after: { status: 'stored', events: replayed },
      });
    return { replayed, partitions: found.map(({ partition }) => partition) };
  });
}

/**
 * Makes every failed event of a kind due again if its payload still exists, as far as one call gets: one audit entry
 * per 5,000.
 * @returns how many, where, and how many it left to another call after `forMs`.
 */
export async function replayKind(
  database: Database,
  author: Author,
  kind: Kind,
  { forMs } = { forMs: REPLAY_MS },
): Promise<{ replayed: number; left: number; partitions: number[] }> {
  const clock = await firstRow<{ began: string }>(database, 'select clock_timestamp()::text as began', {});
  if (!clock) throw new Error('The database returned no time');
  const deadline = Date.now() + forMs;
  const partitions = new Set<number>();
  let total = 0;
  for (;;) {
    const some = await replaySome(database, author, { ...kind, ...clock });
    total += some.replayed;
    for (const partition of some.partitions) partitions.add(partition);
    if (some.replayed < REPLAYED_AT_ONCE) return { replayed: total, left: 0, partitions: [...partitions] };
    if (Date.now() >= deadline) {
      const left = await countLeft(database, author.tenantId, { ...kind, ...clock });
      return { replayed: total, left, partitions: [...partitions] };
    }
  }
}
