import { type Database, firstRow } from '#db/database.ts';
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

export const dueAgain = `update event_inbox set status = 'stored', error = null, waiting_for = null, processed_at = null,
    next_attempt_at = now()`;

export interface Kind {
  eventType: string;
  reason?: string | undefined;
}

export const dueOfKind = (reason: string | undefined) => `
  tenant_id = :tenantId and status = 'failed' and event_type = :eventType
  and payload <> '' and coalesce(processed_at, received_at) <= :began::timestamptz
  ${reason === undefined ? '' : 'and kind = :reason'}`;

export interface Begun extends Kind {
  /** When the call began: what fails again after that is left to the next call. */
  began: string;
}

export const bindingsOf = (tenantId: string, { eventType, reason, began }: Begun) => ({
  tenantId,
  eventType,
  began,
  ...(reason === undefined ? {} : { reason }),
});

export async function countLeft(database: Database, tenantId: string, kind: Begun): Promise<number> {
  const found = await firstRow<{ count: number }>(
    database,
    `select count(*) as count from event_inbox where ${dueOfKind(kind.reason)}`,
    bindingsOf(tenantId, kind),
  );
  return found?.count ?? 0;
}
